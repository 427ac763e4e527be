import type { NodeView } from "../api/node-api.ts";
import type { Backlog } from "../invocation/inbox/backlog.ts";
import { slotCount, type Store } from "@x/store";
import type { Users } from "../users/users.ts";

export interface OnlyNodeParts {
  readonly store: Pick<Store, "sources">;
  readonly users: Pick<Users, "list">;
  readonly backlog: Pick<Backlog, "depth">;
  /** When it was started, in ms. */
  readonly since: number;
}

/** The view of a node that has its store alone. */
export async function onlyNode({ store, users, backlog, since }: OnlyNodeParts): Promise<NodeView> {
  const pages = await Promise.all(users.list().map(({ id }) => store.sources(id, { limit: 1 })));
  const sources = pages.reduce((sum, { totalCount }) => sum + totalCount, 0);
  const { waiting: queueDepth } = backlog.depth();
  return { id: "only", since, sources, slots: slotCount, queueDepth, lagMs: 0, isSelf: true };
}
