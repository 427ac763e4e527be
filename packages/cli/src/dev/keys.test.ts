import { EventEmitter } from "node:events";

import { expect, test } from "vitest";

import { type JobControl, keyActions, type KeyInput, readKeys } from "./keys.ts";

/** A terminal that remembers its mode. */
function createTerminal(isTTY: boolean) {
  const listeners = new Set<(text: string) => void>();
  const state = { raw: false, reading: false };
  const input: KeyInput = {
    isTTY,
    setRawMode: (raw) => (state.raw = raw),
    setEncoding: () => undefined,
    on: (event, listener) => event === "data" && listeners.add(listener),
    off: (_event, listener) => listeners.delete(listener),
    resume: () => (state.reading = true),
    pause: () => (state.reading = false),
  };
  return { input, state, type: (text: string) => listeners.forEach((listener) => listener(text)) };
}

test("letters act in either case, also several at once; Ctrl+C and Ctrl+D quit", () => {
  expect(keyActions("retq")).toEqual(["run", "replay", "tick", "quit"]);
  expect(keyActions("R")).toEqual(["run"]);
  expect([keyActions("\u0003"), keyActions("\u0004")]).toEqual([["quit"], ["quit"]]);
  expect(["?", "h", "\r"].flatMap(keyActions)).toEqual(["explain", "explain", "explain"]);
});

test("other keys do nothing, arrow keys included, whose sequences have letters", () => {
  expect(["x", "1", " ", "é", "\u001b[A", "\u001bOt", "\u001b"].flatMap(keyActions)).toEqual([]);
});

test("keys are read one by one until the reading ends; the terminal is then as before", () => {
  const { input, state, type } = createTerminal(true);
  const acted: string[] = [];
  const end = readKeys(input, (action) => acted.push(action));
  expect(state).toEqual({ raw: true, reading: true });
  type("r");
  end();
  type("t");
  expect(acted).toEqual(["run"]);
  expect(state).toEqual({ raw: false, reading: false });
});

test("pasted text has no effect, except for a Ctrl+C in it", () => {
  expect(["request = 1", "quit", "tree\n", "q\r\n"].flatMap(keyActions)).toEqual([]);
  expect([keyActions("request\u0003"), keyActions("\u001b[A\u0003")]).toEqual([["quit"], ["quit"]]);
});

test("Ctrl+Z gives the terminal back and suspends; what goes on reads keys again", () => {
  const { input, state, type } = createTerminal(true);
  const told: string[] = [];
  const resumed = new Set<() => void>();
  const job: JobControl = {
    suspend: () => void told.push(`suspended, raw ${state.raw}`),
    onResume(listener) {
      resumed.add(listener);
      return () => void resumed.delete(listener);
    },
  };
  const end = readKeys(input, (action) => told.push(action), job);
  type("\u001a");
  for (const goOn of resumed) goOn();
  expect(state.raw).toBe(true);
  type("r");
  expect(told).toEqual(["suspended, raw false", "run"]);
  end();
  expect(resumed.size).toBe(0);
});

test("without a terminal nothing is read", () => {
  const { input, state } = createTerminal(false);
  readKeys(input, () => undefined)();
  expect(state).toEqual({ raw: false, reading: false });
});

test("a terminal that goes away ends nothing, while keys are read and afterwards", () => {
  const { input } = createTerminal(true);
  const terminal = Object.assign(new EventEmitter(), {
    ...input,
    on: EventEmitter.prototype.on,
    off: EventEmitter.prototype.off,
  });
  const end = readKeys(terminal, () => undefined);
  terminal.emit("error", new Error("read EIO"));
  end();
  terminal.emit("error", new Error("read EIO"));
  expect(terminal.listenerCount("data")).toBe(0);
});
