import { deserialize, serialize } from "node:v8";

import type { AccountRecords } from "@x/accounts";
import { XError, type Logger, type TriggerHead } from "@x/model";
import type { Live } from "../events/live.ts";
import type { LiveExecutions } from "../executions/live-executions.ts";
import type { Backlog } from "../invocation/inbox/backlog.ts";
import { type Caches, createCaches } from "../nodes/caches.ts";
import { createCoherentStore } from "../nodes/coherent-store.ts";
import { createRemoteEvents } from "../nodes/remote-events.ts";
import { createRemoteExecutions, type RemoteExecutions } from "../nodes/remote-executions.ts";
import { createRouter, type Router } from "../nodes/router.ts";
import { storingMethods } from "../nodes/shared-user-runtime.ts";
import type { Telling } from "../nodes/shared-connections.ts";
import { createSharedIdle } from "../nodes/shared-idle.ts";
import { createSlotWork, type SlotWork, type SlotWorkParts } from "../nodes/slot-work.ts";
import { createHeldSlots, type HeldSlots } from "../nodes/held-slots.ts";
import { createSlots, type Cluster, type Store } from "@x/store";
import type { Listeners } from "../subscriptions/listeners.ts";
import { type Sandbox, warmUp } from "@x/sandbox";
import type { Users } from "../users/users.ts";

/** What a node needs of the other parts, which are made after it. */
export interface ConnectedParts extends Omit<SlotWorkParts, "cluster" | "heldSlots"> {
  readonly listeners: Listeners;
  readonly users: Users;
  readonly accountRecords: AccountRecords;
  readonly outbox: SlotWorkParts["outbox"] & { wake(webhookId: string): Promise<void> };
  readonly live: Live;
  readonly retention: number;
  readonly depth: Backlog["depth"];
  /** Sources that come from another node must not wait for its start. */
  readonly sandbox: Pick<Sandbox, "call">;
}

/** The part of a runtime that shares its store with other nodes. */
export interface Node extends Telling {
  readonly cluster: Cluster;
  readonly heldSlots: HeldSlots;
  readonly router: Router;
  /** Resolves when this node takes part; the first call lets it begin. */
  ready(): Promise<void>;
  /** Makes commits resolve when all nodes know what they changed. */
  coherent(store: Store, listeners: Listeners): Store;
  /** Makes the executions of other nodes live here. */
  liveExecutions(own: LiveExecutions, store: Store): LiveExecutions;
  stored(heads: readonly TriggerHead[]): void;
  connect(parts: ConnectedParts): void;
  /** The function that resolves when nothing runs on any node; `here` does so for this one. */
  idle(here: () => Promise<boolean>): () => Promise<void>;
  /** Hands everything over. */
  leave(): Promise<void>;
}

/** The late parts of a node. */
interface Connected extends Pick<ConnectedParts, "sandbox"> {
  readonly work: SlotWork;
  readonly caches: Caches;
  emitted: ReturnType<typeof createRemoteEvents>;
  readonly depth: Backlog["depth"];
  readonly trigger: Store["trigger"];
}

function createTelling(cluster: Cluster, told: Map<string, (body: Uint8Array) => Promise<unknown>>): Telling {
  return {
    onTold: (kind, answer) => void told.set(kind, answer),
    async tell(kind, given) {
      if (!cluster.hasOthers) return [];
      const answers = await cluster.tellAll(kind, serialize(given));
      return answers.filter(({ length }) => length > 0).map((answer) => deserialize(answer) as unknown);
    },
  };
}

/** Work that is done once; after a failure, the next call attempts it again. */
function attemptOnce(work: () => Promise<void>): { attempt(): Promise<void>; hasBegun(): boolean } {
  let attempted: Promise<void> | undefined;
  return {
    attempt: () =>
      (attempted ??= work().catch((error: unknown) => {
        attempted = undefined;
        throw error;
      })),
    hasBegun: () => attempted !== undefined,
  };
}

export function assembleNode(cluster: Cluster, logger: Logger, backlog: Pick<Backlog, "has">): Node {
  const heldSlots = createHeldSlots(cluster);
  const told = new Map<string, (body: Uint8Array) => Promise<unknown>>();
  let connected: Connected | undefined;
  let settled = async (): Promise<void> => undefined;
  let executions: RemoteExecutions | undefined;
  let loaded: Promise<void> | undefined;

  const parts = (): Connected => {
    if (!connected) throw new XError("closed", []);
    return connected;
  };
  /** When changes of other nodes have begun to arrive, and before this node works with what it has in memory. */
  const load = (): Promise<void> => (loaded ??= parts().caches.reload());

  async function join(): Promise<void> {
    await warmUp(parts().sandbox);
    // With nothing to take: its connections are open, and its code is compiled, before other nodes wait for it.
    await parts().work.gained(createSlots([]));
    await cluster.join({
      async gained(slots) {
        await load();
        await parts().emitted.settled();
        await parts().work.gained(slots);
      },
      losing: (slots) => parts().work.losing(slots),
      usedSlots: () => parts().work.usedSlots(),
      asked: (message) => router.asked(message),
      async told(kind, body) {
        const answer = await told.get(kind)?.(body);
        return answer === undefined ? undefined : serialize(answer);
      },
      triggered: (heads) => parts().work.claimed(heads),
      emitted(events) {
        parts().emitted.emitted(events);
        executions?.hint();
      },
      stats: () => ({ queueDepth: parts().depth().waiting }),
    });
    await load();
  }
  const joined = attemptOnce(join);

  const router = createRouter({
    cluster,
    heldSlots,
    ready: joined.attempt,
    storing: storingMethods,
    unexpected: (method, error) =>
      logger.error("a call of another node failed", { method, error: error instanceof Error ? error.stack : error }),
  });

  const telling = createTelling(cluster, told);

  return {
    ...telling,
    idle: (here) =>
      createSharedIdle({
        ...telling,
        idle: here,
        has: backlog.has,
        isHeld: heldSlots.isHeld,
        takeSent: () => connected?.work.takeSent() ?? [],
        trigger: (id) => parts().trigger(id),
      }),
    cluster,
    heldSlots,
    router,
    ready: joined.attempt,
    coherent(store, listeners) {
      const coherent = createCoherentStore(store, { cluster, ownersOf: listeners.ownersOf, logger });
      settled = coherent.settled;
      return coherent.store;
    },
    liveExecutions: (live, store) => (executions = createRemoteExecutions({ store, live, logger })),
    stored: (heads) => parts().work.stored(heads),
    connect(given) {
      const { store, live, retention } = given;
      const caches = createCaches({ ...given, settled: () => settled() });
      told.set("changed", caches.changed);
      told.set("lost", () => caches.reload());
      connected = {
        work: createSlotWork({ ...given, cluster, heldSlots }),
        caches,
        emitted: createRemoteEvents({ store, live, retention, logger }),
        depth: given.depth,
        sandbox: given.sandbox,
        trigger: store.trigger,
      };
    },
    async leave() {
      if (joined.hasBegun()) await cluster.leave();
      heldSlots.close();
    },
  };
}
