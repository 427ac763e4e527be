import { deserialize } from "node:v8";

import type { NodeView, Peers } from "../api/node-api.ts";
import type { UserRuntime } from "../api/user-api.ts";
import type { Change, Cluster } from "@x/store";
import type { Users } from "../users/users.ts";
import type { Router } from "./router.ts";
import type { Telling } from "./shared-connections.ts";
import { answerUsers, createSharedUserRuntime } from "./shared-user-runtime.ts";
import { type SharedUsers, shareUsers } from "./shared-users.ts";

export interface SharedRuntimeParts {
  readonly users: Users;
  /** Throws `closed` after `close`. */
  open(): void;
  /** The methods of a user on this node. */
  acting(userId: () => string, extraChanges?: readonly Change[]): UserRuntime;
}

/** What a runtime does in another way with several nodes. */
export interface SharedRuntime {
  readonly changing: SharedUsers;
  /** The methods of a user. */
  acting(userId: () => string): UserRuntime;
  nodes(): Promise<readonly NodeView[]>;
  readonly peers?: Peers;
}

export interface SharedRuntimeNode extends Telling {
  readonly router: Router;
  readonly cluster: Pick<Cluster, "nodes">;
}

export function shareRuntime(
  { router, cluster, tell, onTold }: SharedRuntimeNode,
  { users, open, acting }: SharedRuntimeParts,
): SharedRuntime {
  answerUsers(router, (userId, extraChanges) => acting(() => users.existing(userId).id, extraChanges));
  return {
    changing: shareUsers(users, router),
    acting: (userId) => createSharedUserRuntime(acting(userId), { router, open, userId }),
    nodes: () => cluster.nodes(),
    peers: {
      tell: (kind, given) => tell(`app ${kind}`, given),
      onTold: (kind, handle) => onTold(`app ${kind}`, (body) => handle(deserialize(body))),
    },
  };
}
