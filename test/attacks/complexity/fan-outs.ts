import { setImmediate as nextTurn } from "node:timers/promises";

import type { Subscription } from "../../../packages/model/src/listener-model.ts";
import type { Source } from "../../../packages/model/src/model.ts";
import { type Candidate, fanOut } from "../../../packages/runtime/src/subscriptions/fan-out.ts";
import type { ComplexInput } from "./complex-input.ts";

interface Scene {
  /** Each an event of a channel of its own. */
  readonly events: number;
  readonly subscriptions: number;
  /** Of a subscription. */
  listenerId(index: number): string;
  eventName(index: number): string;
  readonly emitterId?: string;
}

const emitterId = "dc_emitter";

/** Finds the listeners of the events of one run. */
function fanningOut({ events, subscriptions: count, ...scene }: Scene): () => Promise<unknown> {
  const subscriptions = Array.from({ length: count }, (_, n): Subscription => ({
    id: `sub_${n}`,
    userId: "u_1",
    emitterId: scene.emitterId ?? emitterId,
    listenerId: scene.listenerId(n),
    eventName: scene.eventName(n),
    createdAt: 1,
  }));
  const candidates = Array.from({ length: events }, (_, n): Candidate => {
    const event = {
      emitterId,
      stream: "emits",
      id: `1-${n}`,
      indexedAt: 1,
      emitId: "",
      name: `channel${n}`,
      payload: "1",
    };
    return { event, cause: { hops: 0, ofError: false }, subscriptions } as unknown as Candidate;
  });
  const source = { userId: "u_1", active: true };
  return () =>
    fanOut(candidates, {
      now: 1,
      roomOf: () => Promise.resolve(0),
      firstAttemptAt: 0,
      hopLimit: 10,
      webhook: () => undefined,
      source: (id) => Promise.resolve({ ...source, id } as Source),
      backlog: { findExcess: () => undefined, add: () => undefined },
      pause: () => nextTurn(),
    });
}

type Row = readonly [id: string, size: number, scene: (size: number) => Scene];

const rows: readonly Row[] = [
  [
    "event-of-many-listeners",
    10_000,
    (size) => ({ events: 1, subscriptions: size, listenerId: (n) => `dc_${n}`, eventName: () => "channel0" }),
  ],
  [
    "channels-and-subscriptions-to-others",
    10_000,
    (size) => ({ events: 1_000, subscriptions: size, listenerId: () => "dc_1", eventName: (n) => `other${n}` }),
  ],
  [
    "channels-and-subscriptions-to-all-sources",
    10_000,
    (size) => ({
      events: 1_000,
      subscriptions: size,
      listenerId: (n) => `dc_${n}`,
      eventName: (n) => `channel${n}`,
      emitterId: "dc_*",
    }),
  ],
  [
    "names-like-patterns",
    10_000,
    (size) => ({
      events: 100,
      subscriptions: size,
      listenerId: () => "dc_1",
      eventName: (n) => `${"*a".repeat(120)}b${n}`,
    }),
  ],
];

/** Listeners of what a run emits. */
export const fanOutInputs: readonly ComplexInput[] = rows.map(([id, size, scene]) => ({
  id: `fan-out-${id}`,
  class: "algorithmic complexity",
  promise: "main-thread-free",
  size,
  prepare: (count) => fanningOut(scene(count)),
}));
