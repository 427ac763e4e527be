import { expect, test } from "vitest";

import { createSlots, slotCount, slotOf } from "../../../store/src/slot.ts";
import { createHeldSlots } from "./held-slots.ts";

const all = createSlots(Array.from({ length: slotCount }, (_, slot) => slot));
const one = createSlots([slotOf("dc_1")]);

test("a source is here once its slot is recovered, and not while it is handed over", async () => {
  const heldSlots = createHeldSlots({ owns: () => true });
  const here = heldSlots.isHere("dc_1");
  expect([heldSlots.isHeld("dc_1"), heldSlots.mayRun("dc_1")]).toEqual([false, false]);
  heldSlots.hold(one);
  expect([await here, heldSlots.isHeld("dc_1"), heldSlots.mayRun("dc_1")]).toEqual([true, true, true]);
  heldSlots.leave(one);
  expect([heldSlots.isHeld("dc_1"), heldSlots.isLeaving("dc_1"), heldSlots.mayRun("dc_1")]).toEqual([
    false,
    true,
    false,
  ]);
  heldSlots.free(one);
  expect(heldSlots.isLeaving("dc_1")).toBe(false);
});

test("a source of another node is not here, and a wait for it ends when the slot goes", async () => {
  let owned = true;
  const heldSlots = createHeldSlots({ owns: () => owned });
  const here = heldSlots.isHere("dc_1");
  owned = false;
  heldSlots.free(one);
  expect([await here, await heldSlots.isHere("dc_1")]).toEqual([false, false]);
});

test("a slot is not given away while a client waits, and runs go on for that client", async () => {
  const heldSlots = createHeldSlots({ owns: () => true });
  heldSlots.hold(one);
  const clients = [heldSlots.enter("dc_1"), heldSlots.enter("dc_1")];
  heldSlots.leave(one);
  let isGone = false;
  const gone = heldSlots.clientsGone(one).then(() => (isGone = true));
  clients[0]?.[Symbol.dispose]();
  clients[0]?.[Symbol.dispose]();
  await Promise.resolve();
  expect([isGone, heldSlots.mayRun("dc_1")]).toEqual([false, true]);
  clients[1]?.[Symbol.dispose]();
  await gone;
  expect(heldSlots.mayRun("dc_1")).toBe(false);
});

test("an id is drawn until its slot is here; without slots the draw waits for one", async () => {
  const heldSlots = createHeldSlots({ owns: () => true });
  let drawn = 0;
  const draw = (): string => `dc_${++drawn}`;
  const waiting = heldSlots.drawId(draw);
  expect(heldSlots.drawNow(draw)).toBe("dc_1");
  heldSlots.hold(one);
  expect(slotOf(await waiting)).toBe(slotOf("dc_1"));
  heldSlots.hold(all);
  expect(heldSlots.drawNow(() => "dc_x")).toBe("dc_x");
  heldSlots.free(all);
  const late = heldSlots.drawId(draw);
  heldSlots.close();
  await expect(late).rejects.toMatchObject({ code: "closed" });
});
