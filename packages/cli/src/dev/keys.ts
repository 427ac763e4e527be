/** What the keys do, in the order in which they are shown. */
export const keys = [
  { key: "r", does: "run now" },
  { key: "e", does: "replay last event" },
  { key: "t", does: "tick" },
  { key: "q", does: "quit" },
] as const;

export type KeyAction = "run" | "replay" | "tick" | "quit" | "explain";

const actions: ReadonlyMap<string, KeyAction> = new Map([
  ["r", "run"],
  ["e", "replay"],
  ["t", "tick"],
  ["q", "quit"],
  // Ctrl+C and Ctrl+D come as characters while keys are read one by one.
  ["\u0003", "quit"],
  ["\u0004", "quit"],
  ["?", "explain"],
  ["h", "explain"],
  ["\r", "explain"],
]);

/** What the characters that were typed stand for; escape sequences, as of arrow keys, are nothing. */
export function keyActions(typed: string): KeyAction[] {
  if (typed.startsWith("\u001b")) return [];
  return Array.from(typed.toLowerCase()).flatMap((key) => actions.get(key) ?? []);
}

/** A terminal to read keys from, as `process.stdin` is one. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode(raw: boolean): unknown;
  setEncoding(encoding: "utf8"): unknown;
  on(event: "data", listener: (text: string) => void): unknown;
  off(event: "data", listener: (text: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Reads keys as they are typed, until the function that it returns is called; without a terminal it reads nothing. */
export function readKeys(input: KeyInput, act: (action: KeyAction) => void): () => void {
  if (input.isTTY !== true) return () => undefined;
  const hear = (typed: string): void => {
    for (const action of keyActions(typed)) act(action);
  };
  input.setRawMode(true);
  input.setEncoding("utf8");
  input.on("data", hear);
  input.resume();
  return () => {
    input.off("data", hear);
    input.setRawMode(false);
    input.pause();
  };
}
