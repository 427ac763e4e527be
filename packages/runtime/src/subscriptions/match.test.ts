import { describe, expect, test } from "vitest";

import type { Subscription } from "../model/listener-model.ts";
import type { StreamKind } from "../model/model.ts";
import { isDelivered, listenersOf, mayTrigger } from "./match.ts";

interface Case {
  readonly title: string;
  /** Emitter, stream, channel. */
  readonly event: readonly [emitterId: string, stream: StreamKind, name: string];
  /** Emitter, event name, listener of one subscription. */
  readonly subscription: readonly [emitterId: string, eventName: string, listenerId: string];
  readonly heard: boolean;
}

const cases: readonly Case[] = [
  {
    title: "G18 empty is the default stream",
    event: ["dc_1", "emits", ""],
    subscription: ["dc_1", "", "wh_1"],
    heard: true,
  },
  {
    title: "G18 default is it too",
    event: ["dc_1", "emits", ""],
    subscription: ["dc_1", "default", "wh_1"],
    heard: true,
  },
  {
    title: "S11 empty is no channel",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "", "wh_1"],
    heard: false,
  },
  {
    title: "S11 default is no channel",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "default", "wh_1"],
    heard: false,
  },
  {
    title: "S11 empty is not $errors",
    event: ["dc_1", "$errors", "$errors"],
    subscription: ["dc_1", "", "wh_1"],
    heard: false,
  },
  {
    title: "T5 a channel by its name",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "orders", "wh_1"],
    heard: true,
  },
  {
    title: "T5 another channel",
    event: ["dc_1", "emits", "orders"],
    subscription: ["dc_1", "order", "wh_1"],
    heard: false,
  },
  {
    title: "R101 $errors",
    event: ["dc_1", "$errors", "$errors"],
    subscription: ["dc_1", "$errors", "wh_1"],
    heard: true,
  },
  { title: "R101 $logs", event: ["dc_1", "$logs", "$logs"], subscription: ["dc_1", "$logs", "wh_1"], heard: true },
  {
    title: "R101 $logs is not $errors",
    event: ["dc_1", "$logs", "$logs"],
    subscription: ["dc_1", "$errors", "wh_1"],
    heard: false,
  },
  {
    title: "a channel named $errors is not that stream",
    event: ["dc_1", "emits", "$errors"],
    subscription: ["dc_1", "$errors", "wh_1"],
    heard: false,
  },
  {
    title: "a channel named default is the default stream",
    event: ["dc_1", "emits", "default"],
    subscription: ["dc_1", "", "wh_1"],
    heard: true,
  },
  { title: "another emitter", event: ["dc_2", "emits", ""], subscription: ["dc_1", "", "wh_1"], heard: false },
  { title: "R100 dc_* is every source", event: ["dc_2", "emits", ""], subscription: ["dc_*", "", "wh_1"], heard: true },
  { title: "R100 dc_* is no workflow", event: ["p_2", "emits", ""], subscription: ["dc_*", "", "wh_1"], heard: false },
  {
    title: "R100 p_* is every workflow",
    event: ["p_2", "$errors", "$errors"],
    subscription: ["p_*", "$errors", "wh_1"],
    heard: true,
  },
  { title: "R100 p_* is no source", event: ["dc_2", "emits", ""], subscription: ["p_*", "", "wh_1"], heard: false },
  {
    title: "G19 nobody hears itself through a glob",
    event: ["dc_1", "emits", ""],
    subscription: ["dc_*", "", "dc_1"],
    heard: false,
  },
  { title: "by its own id it may", event: ["dc_1", "emits", ""], subscription: ["dc_1", "", "dc_1"], heard: true },
];

const subscription = (emitterId: string, eventName: string, listenerId: string, userId = "u_1"): Subscription => ({
  id: `sub_${emitterId}${eventName}${listenerId}`,
  userId,
  emitterId,
  listenerId,
  eventName,
  createdAt: 0,
});

describe("who hears of an event", () => {
  test.each(cases)("$title", ({ event: [emitterId, stream, name], subscription: [from, eventName, to], heard }) => {
    const found = listenersOf({ emitterId, userId: "u_1", stream, name }, [subscription(from, eventName, to)]);
    expect(found).toEqual(heard ? [to] : []);
  });

  test("a glob is about emitters of its own user", () => {
    const emitted = { emitterId: "dc_1", userId: "u_2", stream: "emits", name: "" } as const;
    expect(listenersOf(emitted, [subscription("dc_*", "", "wh_1", "u_1")])).toEqual([]);
    expect(listenersOf(emitted, [subscription("dc_*", "", "wh_1", "u_2")])).toEqual(["wh_1"]);
  });

  test("R105 a listener hears once, however many subscriptions bring it there; many listeners hear all", () => {
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
  ] as const)("G21 an event after %i hops may make others run: %s", (hops, may) => {
    expect(mayTrigger({ hops, ofError: false }, 10)).toBe(may);
  });

  test.each([
    ["emits", true, true],
    ["$errors", false, true],
    ["$errors", true, false],
    ["$logs", true, true],
  ] as const)("G62 S33 %s, of an error listener: %s, is delivered: %s", (stream, ofError, delivered) => {
    expect(isDelivered(stream, { hops: 1, ofError })).toBe(delivered);
  });
});
