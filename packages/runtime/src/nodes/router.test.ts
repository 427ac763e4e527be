import { expect, test } from "vitest";

import { createSlots, slotOf } from "../../../store/src/slot.ts";
import { encodeAnswer, encodeQuestion } from "./message.ts";
import { createRouter } from "./router.ts";
import { createHeldSlots } from "./held-slots.ts";

const slots = createSlots([slotOf("dc_1")]);
const question = { to: "dc_1", method: "read", args: [1] };

/** A router whose node has the slot of dc_1 unless it is given away. */
function openRouter(answers: readonly Uint8Array[] = []) {
  const state = { owned: true };
  const asked: string[] = [];
  const left = [...answers];
  const heldSlots = createHeldSlots({ owns: () => state.owned });
  heldSlots.hold(slots);
  const router = createRouter({
    heldSlots,
    ready: () => Promise.resolve(),
    storing: new Set(["run"]),
    unexpected: () => undefined,
    cluster: {
      async ask(_id, kind) {
        asked.push(kind);
        return left.shift() ?? encodeAnswer({ value: "there" });
      },
    },
  });
  const leave = (): void => {
    state.owned = false;
    heldSlots.leave(slots);
  };
  return { router, heldSlots, asked, leave };
}

test("a call runs here, or is asked of the owner, and asked again when the slot has moved", async () => {
  const { router, asked, leave } = openRouter([encodeAnswer({ moved: true })]);
  expect(await router.call(question, async () => "here")).toBe("here");
  leave();
  expect(await router.call({ ...question, method: "run" }, async () => "here")).toBe("there");
  expect(asked).toEqual(["request", "request"]);
});

test("a call within a call runs here while the slot is handed over: the slot waits for it", async () => {
  const { router, heldSlots, asked, leave } = openRouter();
  const value = await router.call(question, async () => {
    leave();
    return router.call(question, async () => "inner");
  });
  expect([value, asked]).toEqual(["inner", []]);
  await heldSlots.clientsGone(slots);
  expect(await router.call(question, async () => "late")).toBe("there");
});

test("a node that has lost the slot answers that it has moved, and does nothing", async () => {
  const { router, heldSlots, leave } = openRouter();
  const calls: unknown[] = [];
  router.answer("read", async ({ args, messageId }) => {
    calls.push([...args, messageId]);
    return "read";
  });
  const message = { id: "m_1", kind: "call", body: encodeQuestion(question) };
  expect(await router.asked(message)).toEqual(encodeAnswer({ value: "read" }));
  leave();
  heldSlots.free(slots);
  expect(await router.asked(message)).toEqual(encodeAnswer({ moved: true }));
  expect(calls).toEqual([[1, "m_1"]]);
});
