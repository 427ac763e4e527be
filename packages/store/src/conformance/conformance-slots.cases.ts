import { expect, test } from "vitest";

import { createSlots, slotOf } from "../slot.ts";
import {
  addDelivery,
  addTrigger,
  exampleDelivery,
  exampleTransition,
  exampleTrigger,
  exampleUser,
} from "./examples.cases.ts";
import type { GetStore } from "./given-store.cases.ts";

/** Work of some slots. */
export function describeSlots(get: GetStore): void {
  const sources = ["dc_1", "dc_2", "dc_\u00e9"];
  const slots = createSlots(["dc_1", "dc_\u00e9"].map(slotOf));

  test("reads with slots return the work of their sources alone", async () => {
    const store = get();
    await store.commit(
      sources.flatMap((sourceId) => [
        addTrigger(exampleTrigger(`t_${sourceId}`, { sourceId })),
        { op: "timer.set", sourceId, next: { at: 5, lastAt: 4 } },
        addDelivery(exampleDelivery(`dlv_${sourceId}`, { emitterId: sourceId })),
      ]),
    );
    const chosen = ["dc_1", "dc_\u00e9"];
    expect((await store.triggers(undefined, slots)).map(({ sourceId }) => sourceId)).toEqual(chosen);
    expect(await store.triggers("dc_2", slots)).toEqual([]);
    expect((await store.timers(slots)).map(({ sourceId }) => sourceId).toSorted()).toEqual(chosen);
    for (const webhookId of [undefined, "wh_1"]) {
      const lanes = await store.deliveryLanes(webhookId, slots);
      expect(lanes.map(({ emitterId }) => emitterId).toSorted()).toEqual(chosen);
    }
    expect(await store.deliveryLanes("wh_2", slots)).toEqual([]);
    expect(await store.timers(createSlots([]))).toEqual([]);
  });

  test("S24 recovery of slots counts the crashes of their sources alone", async () => {
    const store = get();
    await store.commit(sources.map((sourceId) => addTrigger(exampleTrigger(`t_${sourceId}`, { sourceId }), true)));
    await store.commit(
      sources.map((sourceId) => ({ op: "transition.put", transition: exampleTransition(sourceId) }) as const),
    );
    const recovered = await store.recoverTriggers(slots);
    expect(recovered.map(({ sourceId, crashes }) => [sourceId, crashes])).toEqual([
      ["dc_1", 1],
      ["dc_\u00e9", 1],
    ]);
    const transitions = await store.recoverTransitions(slots);
    expect(new Map(transitions.map(({ source, crashes }) => [source.id, crashes]))).toEqual(
      new Map([
        ["dc_1", 1],
        ["dc_\u00e9", 1],
      ]),
    );
    expect((await store.recoverTriggers()).map(({ crashes }) => crashes)).toEqual([1, 1, 1]);
    expect((await store.recoverTransitions()).map(({ crashes }) => crashes)).toEqual([1, 1, 1]);
  });

  test("the end of a message that nobody sent changes nothing", async () => {
    const store = get();
    await store.commit([
      { op: "message.done", id: "m_1" },
      { op: "user.put", user: exampleUser("u_1") },
    ]);
    expect(await store.user("u_1")).toEqual(exampleUser("u_1"));
  });
}
