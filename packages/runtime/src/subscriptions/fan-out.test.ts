import { expect, test } from "vitest";

import type { Subscription, Webhook } from "../../../model/src/listener-model.ts";
import type { EmitListener } from "../../../model/src/execution-model.ts";
import type { Source, StoredEvent } from "../../../model/src/model.ts";
import { type Candidate, fanOut, type FanOutRules } from "./fan-out.ts";

const source = (id: string, active = true): Source => ({ id, userId: "u_1", active }) as Source;
const sources = [source("dc_a"), source("dc_b"), source("dc_off", false), source("p_c")];
const webhooks = [
  { id: "wh_on", active: true },
  { id: "wh_off", active: false },
] as Webhook[];
const to = (...ids: string[]): Subscription[] =>
  ids.map((listenerId) => ({ emitterId: "dc_a", eventName: "", listenerId })) as Subscription[];

const event = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  id: { ms: 1, seq: 0 },
  emitId: "e1",
  emitterId: "dc_a",
  stream: "emits",
  name: "",
  payload: '"text"',
  ...more,
});

async function spread(
  subscriptions: readonly Subscription[],
  {
    events = [event()],
    hops = 0,
    rules = {},
  }: { events?: StoredEvent[]; hops?: number; rules?: Partial<FanOutRules> } = {},
) {
  const notes: EmitListener[] = [];
  const candidates = events.map((each): Candidate => ({
    event: each,
    cause: { hops } as Candidate["cause"],
    subscriptions,
  }));
  const result = await fanOut(candidates, {
    now: 1_000,
    hopLimit: 3,
    firstAttemptAt: 1_500,
    webhook: (id) => webhooks.find((each) => each.id === id),
    roomOf: () => Promise.resolve(1),
    source: (id) => Promise.resolve(sources.find((each) => each.id === id)),
    backlog: { findExcess: () => undefined, add: () => undefined },
    notesOf: () => (note) => void notes.push(note),
    pause: () => Promise.resolve(),
    ...rules,
  });
  return { ...result, notes };
}

test("each active listener gets the event once; what does not is noted with the reason", async () => {
  const { triggers, deliveries, changes, notes } = await spread(
    to("dc_b", "dc_off", "p_c", "wh_on", "wh_none", "dc_none"),
  );
  expect(
    triggers.map(({ sourceId, type, hops, bytes, wholeBytes }) => [sourceId, type, hops, bytes, wholeBytes]),
  ).toEqual([
    ["dc_b", "SUBSCRIPTION", 1, 2, 6],
    ["p_c", "SUBSCRIPTION", 1, 2, 6],
  ]);
  expect(deliveries).toMatchObject([
    { webhookId: "wh_on", nextAttemptAt: 1_500, payload: '"text"', status: "pending" },
  ]);
  expect(changes.map(({ op }) => op)).toEqual(["delivery.add", "trigger.add", "trigger.add"]);
  expect(notes).toEqual([
    { id: "dc_off", kind: "source", skipped: "inactive" },
    { id: "wh_on", kind: "webhook", deliveryId: deliveries[0]?.id },
    { id: "dc_b", kind: "source", executionId: triggers[0]?.id },
    { id: "p_c", kind: "workflow", executionId: triggers[1]?.id },
  ]);
});

test("S49 a paused webhook keeps what it has room for, and the others are counted", async () => {
  const events = [1, 2, 3].map((seq) => event({ id: { ms: 1, seq } }));
  const { deliveries, changes, notes } = await spread(to("wh_off"), { events });
  expect(deliveries).toHaveLength(1);
  expect(changes.at(-1)).toEqual({ op: "webhook.skip", id: "wh_off", count: 2 });
  expect(notes.map(({ skipped }) => skipped)).toEqual([undefined, "inactive", "inactive"]);
});

test("a full inbox gets no trigger, and the overflow counts its events by emitter", async () => {
  const events = [event(), event({ emitterId: "dc_b" }), event()];
  const subscriptions = [...to("p_c"), { emitterId: "dc_b", eventName: "", listenerId: "p_c" } as Subscription];
  const rules = { backlog: { findExcess: () => ({ limit: "10 triggers" }), add: () => undefined } };
  const { triggers, overflows, notes } = await spread(subscriptions, { events, rules });
  expect(triggers).toEqual([]);
  expect(overflows).toEqual([{ sourceId: "p_c", limit: "10 triggers", emitters: new Set(["dc_a", "dc_b"]), count: 3 }]);
  expect(notes.map(({ skipped }) => skipped)).toEqual(["queue_full", "queue_full", "queue_full"]);
});

test("beyond the last hop sources get nothing, webhooks do", async () => {
  const { triggers, deliveries, notes } = await spread(to("dc_b", "wh_on"), { hops: 4 });
  expect([triggers.length, deliveries.length]).toEqual([0, 1]);
  expect(notes).toContainEqual({ id: "dc_b", kind: "source", skipped: "hop_limit" });
});

test("an error triggers its listeners as an error, with the run that caused it; nothing is noted where nobody asks", async () => {
  const subscriptions = [{ emitterId: "dc_a", eventName: "$errors", listenerId: "dc_b" } as Subscription];
  const failed = event({ stream: "$errors", name: "$errors", ts: 5 });
  const { changes, notes } = await spread(subscriptions, { events: [failed], rules: { notesOf: undefined } });
  expect(changes).toMatchObject([
    { op: "trigger.add", trigger: { ofError: true, origin: { cause: { sourceId: "dc_a", eventId: "1-0" } } } },
  ]);
  expect(notes).toEqual([]);
});
