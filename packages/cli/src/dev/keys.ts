/** The keys and their actions, in the order in which they are shown. */
export const keys = [
  { key: "r", does: "run now" },
  { key: "e", does: "replay last event" },
  { key: "t", does: "tick" },
  { key: "q", does: "quit" },
] as const;

export type KeyAction = "run" | "replay" | "tick" | "quit" | "explain";

const actions: ReadonlyMap<string, KeyAction | "suspend"> = new Map([
  ["r", "run"],
  ["e", "replay"],
  ["t", "tick"],
  ["q", "quit"],
  // In raw mode Ctrl+C, Ctrl+D and Ctrl+Z arrive as characters.
  ["\u0003", "quit"],
  ["\u0004", "quit"],
  ["\u001a", "suspend"],
  ["?", "explain"],
  ["h", "explain"],
  ["\r", "explain"],
]);

/**
 * The actions for the characters that were typed. Escape sequences, such as arrow keys, and pasted text with other letters
 * are ignored, except for a Ctrl+C in them.
 */
export function keyActions(typed: string): (KeyAction | "suspend")[] {
  const pressed = Array.from(typed.toLowerCase()).map((key) => actions.get(key));
  const isText = typed.startsWith("\u001b") || (pressed.length > 1 && pressed.includes(undefined));
  if (isText) return typed.includes("\u0003") ? ["quit"] : [];
  return pressed.filter((action) => action !== undefined);
}

/** A terminal to read keys from, such as `process.stdin`. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode(raw: boolean): unknown;
  setEncoding(encoding: "utf8"): unknown;
  on(event: "data", listener: (text: string) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  off(event: "data", listener: (text: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** Suspends the program (Ctrl+Z) and reports when the shell resumes it. */
export interface JobControl {
  suspend(): void;
  /** Calls `listener` after each resume; the result removes it. */
  onResume(listener: () => void): () => void;
}

const processJob: JobControl = {
  suspend() {
    // The whole process group, as a terminal does: npx is the parent of x.
    if (process.platform !== "win32") process.kill(0, "SIGTSTP");
  },
  onResume(listener) {
    process.on("SIGCONT", listener);
    return () => void process.off("SIGCONT", listener);
  },
};

/** Reads keys until the returned function is called. Reads nothing without a terminal. */
export function readKeys(input: KeyInput, act: (action: KeyAction) => void, job: JobControl = processJob): () => void {
  if (input.isTTY !== true) return () => undefined;
  const onData = (typed: string): void => {
    for (const action of keyActions(typed)) {
      if (action !== "suspend") act(action);
      else {
        input.setRawMode(false);
        job.suspend();
      }
    }
  };
  // The shell may have changed the mode; setting the same mode twice has no effect.
  const removeListener = job.onResume(() => {
    input.setRawMode(false);
    input.setRawMode(true);
  });
  input.setRawMode(true);
  input.setEncoding("utf8");
  // The terminal is gone; what runs goes on.
  input.on("error", () => undefined);
  input.on("data", onData);
  input.resume();
  return () => {
    removeListener();
    input.off("data", onData);
    input.setRawMode(false);
    input.pause();
  };
}
