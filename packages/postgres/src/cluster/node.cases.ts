import type { Cluster, ClusterHandlers, Emitted, Slots, Store, TriggerHead } from "@x/runtime/store";

import { vi } from "vitest";

import { openStore, type PostgresOptions } from "../postgres.ts";
import { defaultTiming, type Timing } from "./timing.ts";

/** A node whose handlers note what they are called with. */
export interface TestNode {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly slots: Set<number>;
  readonly recovered: TriggerHead[];
  readonly triggered: string[];
  readonly emitted: (readonly Emitted[] | undefined)[];
  readonly told: string[];
  close(): Promise<void>;
}

/** What a test replaces. */
export interface Replaced extends Partial<Pick<ClusterHandlers, "asked" | "told" | "losing">> {
  readonly timing?: Partial<Timing>;
  /** Between opening the store and joining. */
  readonly beforeJoin?: () => Promise<unknown>;
}

const text = new TextDecoder();
export const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
export const textOf = (value: Uint8Array): string => text.decode(value);

/** Opens a node and joins. */
export async function openNode(options: PostgresOptions, replaced: Replaced = {}): Promise<TestNode> {
  const store = await openStore({ ...options, nodes: "several" }, { ...defaultTiming, ...replaced.timing });
  const { cluster } = store;
  if (!cluster) throw new Error("the store has no cluster");
  const node: TestNode = {
    store,
    cluster,
    slots: new Set(),
    recovered: [],
    triggered: [],
    emitted: [],
    told: [],
    async close() {
      await cluster.leave();
      await store.close();
    },
  };
  const change = (slots: Slots, how: "add" | "delete"): void => {
    for (const slot of slots.list) node.slots[how](slot);
  };
  await replaced.beforeJoin?.();
  await cluster.join({
    async gained(slots) {
      node.recovered.push(...(await store.recoverTriggers(slots)));
      change(slots, "add");
    },
    usedSlots: () => new Set(),
    async losing(slots) {
      change(slots, "delete");
      await replaced.losing?.(slots);
    },
    asked:
      replaced.asked ??
      (async ({ kind, body }) => bytes(`${cluster.nodeId} ${kind} ${textOf(body)} ${cluster.owns("dc_1")}`)),
    async told(kind, body) {
      node.told.push(`${kind} ${textOf(body)}`);
      return replaced.told?.(kind, body);
    },
    triggered: (heads) => node.triggered.push(...heads.map(({ id }) => id)),
    emitted: (events) => node.emitted.push(events),
    stats: () => ({ queueDepth: node.slots.size }),
  });
  return node;
}

/** The first of some ids whose slot is the node's. */
export function ownedBy({ cluster }: TestNode, prefix = "dc"): string {
  for (let n = 0; ; n += 1) if (cluster.owns(`${prefix}_${n}`)) return `${prefix}_${n}`;
}

/** Waits until nothing is wrong any more. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });
