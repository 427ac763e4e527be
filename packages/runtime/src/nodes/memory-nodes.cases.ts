import { setImmediate as nextTurn } from "node:timers/promises";

import type { Cluster, ClusterHandlers, Emitted, Slots } from "../../../store/src/cluster-contract.ts";
import type { Change, Store } from "../../../store/src/contract.ts";
import { createMemoryStore } from "../../../store/src/memory/memory.ts";
import { createSlots, slotCount, slotOf } from "../../../store/src/slot.ts";

/** Nodes of one process on one memory store: for tests of what the runtime makes of a cluster. */
export interface MemoryNodes {
  /** The store as one more node has it. */
  open(): NodeStore;
}

export interface NodeStore extends Store {
  readonly cluster: Cluster;
  /** Ends the node without a word, as a kill does. */
  kill(): Promise<void>;
}

interface MemoryNode {
  readonly id: string;
  readonly handlers: ClusterHandlers;
  readonly slots: Set<number>;
  /** Slots that are being given away. */
  readonly leaving: Set<number>;
}

const groupSize = 128;

const groupsOf = (slots: readonly number[]): Slots[] =>
  Array.from({ length: Math.ceil(slots.length / groupSize) }, (_, index) =>
    createSlots(slots.slice(index * groupSize, (index + 1) * groupSize)),
  );

function emittedBy(changes: readonly Change[]): Emitted[] {
  const found = new Map<string, Emitted>();
  for (const change of changes) {
    if (change.op !== "event.add") continue;
    const { emitterId, stream, id: first } = change.event;
    const key = `${emitterId} ${stream}`;
    if (!found.has(key)) found.set(key, { emitterId, stream, first });
  }
  return [...found.values()];
}

export function createMemoryNodes(): MemoryNodes {
  const shared = createMemoryStore();
  const live = new Map<string, MemoryNode>();
  let opened = 0;
  let asked = 0;
  let moving = Promise.resolve();

  const ownerOf = (slot: number): MemoryNode | undefined => [...live.values()].find(({ slots }) => slots.has(slot));

  async function move(group: Slots, to: MemoryNode | undefined): Promise<void> {
    const from = ownerOf(group.list[0] ?? 0);
    if (from) {
      for (const slot of group.list) from.leaving.add(slot);
      await from.handlers.losing(group);
      for (const slot of group.list) {
        from.leaving.delete(slot);
        from.slots.delete(slot);
      }
    }
    if (!to) return;
    for (const slot of group.list) to.slots.add(slot);
    await to.handlers.gained(group);
  }

  /** Gives every node an equal share; one change at a time. */
  function balance(without?: MemoryNode): Promise<void> {
    moving = moving.then(async () => {
      const nodes = [...live.values()].filter((node) => node !== without);
      const moves = new Map<string, { readonly slots: number[]; readonly to: MemoryNode | undefined }>();
      for (let slot = 0; slot < slotCount; slot++) {
        const to = nodes[slot % Math.max(1, nodes.length)];
        const from = ownerOf(slot);
        if (from === to) continue;
        const key = `${from?.id} ${to?.id}`;
        const found = moves.get(key) ?? { slots: [], to };
        found.slots.push(slot);
        moves.set(key, found);
      }
      const all = [...moves.values()].flatMap(({ slots, to }) => groupsOf(slots).map((group) => move(group, to)));
      await Promise.all(all);
    });
    return moving;
  }

  function open(): NodeStore {
    const nodeId = `node${++opened}`;
    const self = (): MemoryNode | undefined => live.get(nodeId);
    const others = (): MemoryNode[] => [...live.values()].filter(({ id }) => id !== nodeId);
    const owns = (id: string): boolean => {
      const slot = slotOf(id);
      const own = self();
      return own?.slots.has(slot) === true && !own.leaving.has(slot);
    };

    const cluster: Cluster = {
      nodeId,
      owns,
      get hasOthers() {
        return others().length > 0;
      },
      async join(handlers) {
        live.set(nodeId, { id: nodeId, handlers, slots: new Set(), leaving: new Set() });
        await balance();
      },
      async leave() {
        const own = self();
        if (!own) return;
        await balance(own);
        live.delete(nodeId);
      },
      async ask(id, kind, body) {
        const slot = slotOf(id);
        for (;;) {
          const owner = ownerOf(slot);
          if (owner && !owner.leaving.has(slot)) {
            return owner.handlers.asked({ id: `m${++asked}`, kind, body: structuredClone(body) });
          }
          await nextTurn();
        }
      },
      async tellAll(kind, body) {
        const answers = others().map(({ handlers }) => handlers.told(kind, structuredClone(body)));
        return (await Promise.all(answers)).map((answer) => answer ?? new Uint8Array());
      },
      async nodes() {
        return [...live.values()].map(({ id, slots, handlers }) => ({
          id,
          since: 0,
          sources: 0,
          slots: slots.size,
          queueDepth: handlers.stats().queueDepth,
          lagMs: 0,
          isSelf: id === nodeId,
        }));
      },
    };

    let isOpen = true;
    return {
      ...shared,
      cluster,
      async commit(changes) {
        if (!isOpen) throw new Error("the node was killed");
        const foreign = changes.flatMap((change) =>
          change.op === "trigger.add" && !owns(change.trigger.sourceId) ? [change.trigger.id] : [],
        );
        await shared.commit(changes);
        const emitted = emittedBy(changes);
        if (emitted.length > 0) for (const { handlers } of others()) handlers.emitted(emitted);
        if (foreign.length > 0) void claim(new Set(foreign));
      },
      async close() {
        await cluster.leave();
      },
      async kill() {
        isOpen = false;
        live.delete(nodeId);
        for (const { handlers } of others()) void handlers.told("lost", new Uint8Array());
        await balance();
      },
    };
  }

  /** Brings triggers to their owners, when these have their slots. */
  async function claim(ids: ReadonlySet<string>): Promise<void> {
    await moving;
    for (const head of await shared.triggers()) {
      if (ids.has(head.id)) ownerOf(slotOf(head.sourceId))?.handlers.triggered([head]);
    }
  }

  return { open };
}
