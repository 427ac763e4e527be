import { expect, test } from "vitest";

import { createSlots, slotCount, slotOf } from "../store/slot.ts";
import { createTerritory } from "./territory.ts";

const all = createSlots(Array.from({ length: slotCount }, (_, slot) => slot));
const one = createSlots([slotOf("dc_1")]);

test("a source is here once its slot is recovered, and not while it is handed over", async () => {
  const territory = createTerritory({ owns: () => true });
  const here = territory.isHere("dc_1");
  expect([territory.isHeld("dc_1"), territory.mayRun("dc_1")]).toEqual([false, false]);
  territory.hold(one);
  expect([await here, territory.isHeld("dc_1"), territory.mayRun("dc_1")]).toEqual([true, true, true]);
  territory.leave(one);
  expect([territory.isHeld("dc_1"), territory.isLeaving("dc_1"), territory.mayRun("dc_1")]).toEqual([
    false,
    true,
    false,
  ]);
  territory.free(one);
  expect(territory.isLeaving("dc_1")).toBe(false);
});

test("a source of another node is not here, and a wait for it ends when the slot goes", async () => {
  let owned = true;
  const territory = createTerritory({ owns: () => owned });
  const here = territory.isHere("dc_1");
  owned = false;
  territory.free(one);
  expect([await here, await territory.isHere("dc_1")]).toEqual([false, false]);
});

test("a slot is not given away while a client waits, and runs go on for that client", async () => {
  const territory = createTerritory({ owns: () => true });
  territory.hold(one);
  const clients = [territory.enter("dc_1"), territory.enter("dc_1")];
  territory.leave(one);
  let isGone = false;
  const gone = territory.clientsGone(one).then(() => (isGone = true));
  clients[0]?.[Symbol.dispose]();
  clients[0]?.[Symbol.dispose]();
  await Promise.resolve();
  expect([isGone, territory.mayRun("dc_1")]).toEqual([false, true]);
  clients[1]?.[Symbol.dispose]();
  await gone;
  expect(territory.mayRun("dc_1")).toBe(false);
});

test("an id is drawn until its slot is here; without slots the draw waits for one", async () => {
  const territory = createTerritory({ owns: () => true });
  let drawn = 0;
  const draw = (): string => `dc_${++drawn}`;
  const waiting = territory.drawId(draw);
  expect(territory.drawNow(draw)).toBe("dc_1");
  territory.hold(one);
  expect(slotOf(await waiting)).toBe(slotOf("dc_1"));
  territory.hold(all);
  expect(territory.drawNow(() => "dc_x")).toBe("dc_x");
  territory.free(all);
  const late = territory.drawId(draw);
  territory.close();
  await expect(late).rejects.toMatchObject({ code: "closed" });
});
