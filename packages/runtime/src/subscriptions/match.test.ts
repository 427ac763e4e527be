import { describe, expect, test } from "vitest";

import type { Subscription } from "../../../model/src/listener-model.ts";
import type { StreamKind } from "../../../model/src/model.ts";
import { isDelivered, listenersOf, mayTrigger } from "./match.ts";

interface Case {
  readonly title: string;
  /** Emitter, stream, channel. */
  readonly event: readonly [emitterId: string, stream: StreamKind, name: string];
  /** Emitter, event name, listener of one subscription. */
  readonly subscription: readonly [emitterId: string, eventName: string, listenerId: string];
  readonly expected: boolean;
}

const cases: readonly Case[] = [
  {
    title: "G18 an empty name is the default stream",
    event: ["dc_1", "emits", ""],
    subscription: ["dc_1", "", "wh_1"],
    expected: true,
  },
  {
    title: "G18 the name default is the default stream",
    event: ["dc_1", "emits", ""],
    subscription: ["dc_1", "default", "wh_1"],
    expected: true,
  },
  {
    title: "S11 an empty name matches no channel",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "", "wh_1"],
    expected: false,
  },
  {
    title: "S11 the name default matches no channel",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "default", "wh_1"],
    expected: false,
  },
  {
    title: "S11 an empty name does not match $errors",
    event: ["dc_1", "$errors", "$errors"],
    subscription: ["dc_1", "", "wh_1"],
    expected: false,
  },
  {
    title: "T5 a channel matches by its name",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "orders", "wh_1"],
    expected: true,
  },
  {
    title: "T5 another channel does not match",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "order", "wh_1"],
    expected: false,
  },
  {
    title: "R101 $errors",
    event: ["dc_1", "$errors", "$errors"],
    subscription: ["dc_1", "$errors", "wh_1"],
    expected: true,
  },
  { title: "R101 $logs", event: ["dc_1", "$logs", "$logs"], subscription: ["dc_1", "$logs", "wh_1"], expected: true },
  {
    title: "R101 $errors does not match $logs",
    event: ["dc_1", "$logs", "$logs"],
    subscription: ["dc_1", "$errors", "wh_1"],
    expected: false,
  },
  {
    title: "a channel named $errors is not the stream $errors",
    event: ["dc_1", "emits", "$errors"],
    subscription: ["dc_1", "$errors", "wh_1"],
    expected: false,
  },
  {
    title: "a channel named default is the default stream",
    event: ["dc_1", "emits", "default"],
    subscription: ["dc_1", "", "wh_1"],
    expected: true,
  },
  {
    title: "another emitter does not match",
    event: ["dc_2", "emits", ""],
    subscription: ["dc_1", "", "wh_1"],
    expected: false,
  },
  {
    title: "R100 dc_* matches every source",
    event: ["dc_2", "emits", ""],
    subscription: ["dc_*", "", "wh_1"],
    expected: true,
  },
  {
    title: "R100 dc_* matches no workflow",
    event: ["p_2", "emits", ""],
    subscription: ["dc_*", "", "wh_1"],
    expected: false,
  },
  {
    title: "R100 p_* matches every workflow",
    event: ["p_2", "$errors", "$errors"],
    subscription: ["p_*", "$errors", "wh_1"],
    expected: true,
  },
  {
    title: "R100 p_* matches no source",
    event: ["dc_2", "emits", ""],
    subscription: ["p_*", "", "wh_1"],
    expected: false,
  },
  {
    title: "G19 a listener does not get its own events through a glob",
    event: ["dc_1", "emits", ""],
    subscription: ["dc_*", "", "dc_1"],
    expected: false,
  },
  {
    title: "a listener gets its own events by its own id",
    event: ["dc_1", "emits", ""],
    subscription: ["dc_1", "", "dc_1"],
    expected: true,
  },
];

const subscription = (emitterId: string, eventName: string, listenerId: string, userId = "u_1"): Subscription => ({
  id: `sub_${emitterId}${eventName}${listenerId}`,
  userId,
  emitterId,
  listenerId,
  eventName,
  createdAt: 0,
});

describe("matching of subscriptions", () => {
  test.each(cases)("$title", ({ event: [emitterId, stream, name], subscription: [from, eventName, to], expected }) => {
    const found = listenersOf({ emitterId, userId: "u_1", stream, name }, [subscription(from, eventName, to)]);
    expect(found).toEqual(expected ? [to] : []);
  });

  test("a glob matches emitters of its own user only", () => {
    const emitted = { emitterId: "dc_1", userId: "u_2", stream: "emits", name: "" } as const;
    expect(listenersOf(emitted, [subscription("dc_*", "", "wh_1", "u_1")])).toEqual([]);
    expect(listenersOf(emitted, [subscription("dc_*", "", "wh_1", "u_2")])).toEqual(["wh_1"]);
  });

  test("R105 a listener gets an event once, even when several of its subscriptions match", () => {
    const emitted = { emitterId: "dc_1", userId: "u_1", stream: "emits", name: "" } as const;
    const all = [
      subscription("dc_1", "", "wh_1"),
      subscription("dc_1", "default", "wh_1"),
      subscription("dc_*", "", "wh_1"),
      subscription("dc_*", "", "dc_2"),
    ];
    expect(listenersOf(emitted, all)).toEqual(["wh_1", "dc_2"]);
  });

  test.each([
    [0, true],
    [10, true],
    [11, false],
  ] as const)("G21 an event after %i hops may trigger runs: %s", (hops, may) => {
    expect(mayTrigger({ hops, ofError: false }, 10)).toBe(may);
  });

  test.each([
    ["emits", true, true],
    ["$errors", false, true],
    ["$errors", true, false],
    ["$logs", true, true],
  ] as const)(
    "G62 S33 stream %s, from a run that handled an error: %s, delivered: %s",
    (stream, ofError, delivered) => {
      expect(isDelivered(stream, { hops: 1, ofError })).toBe(delivered);
    },
  );
});
