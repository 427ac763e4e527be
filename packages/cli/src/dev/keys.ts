/** What the keys do, in the order in which they are shown. */
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
  // Ctrl+C and Ctrl+D come as characters while keys are read one by one.
  ["\u0003", "quit"],
  ["\u0004", "quit"],
  ["\u001a", "suspend"],
  ["?", "explain"],
  ["h", "explain"],
  ["\r", "explain"],
]);

/**
 * What the characters that were typed stand for. Escape sequences, as of arrow keys, are nothing; nor is text that came
 * at once and is not keys alone: somebody pasted it, and its letters mean nothing here. Ctrl+C counts wherever it stands.
 */
export function keyActions(typed: string): (KeyAction | "suspend")[] {
  const pressed = Array.from(typed.toLowerCase()).map((key) => actions.get(key));
  const isText = typed.startsWith("\u001b") || (pressed.length > 1 && pressed.includes(undefined));
  if (isText) return typed.includes("\u0003") ? ["quit"] : [];
  return pressed.filter((action) => action !== undefined);
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

/** What Ctrl+Z and the shell do to the program. */
export interface JobControl {
  suspend(): void;
  /** `listener` hears each time that it goes on; the result takes it off. */
  onResume(listener: () => void): () => void;
}

const processJob: JobControl = {
  suspend() {
    // The whole group, as the terminal does it: npx stands before x.
    if (process.platform !== "win32") process.kill(0, "SIGTSTP");
  },
  onResume(listener) {
    process.on("SIGCONT", listener);
    return () => void process.off("SIGCONT", listener);
  },
};

/** Reads keys as they are typed, until the function that it returns is called; without a terminal it reads nothing. */
export function readKeys(input: KeyInput, act: (action: KeyAction) => void, job: JobControl = processJob): () => void {
  if (input.isTTY !== true) return () => undefined;
  const hear = (typed: string): void => {
    for (const action of keyActions(typed)) {
      if (action !== "suspend") act(action);
      else {
        input.setRawMode(false);
        job.suspend();
      }
    }
  };
  // The shell has had the terminal in between; a mode that is thought to be set is not set again.
  const forget = job.onResume(() => {
    input.setRawMode(false);
    input.setRawMode(true);
  });
  input.setRawMode(true);
  input.setEncoding("utf8");
  input.on("data", hear);
  input.resume();
  return () => {
    forget();
    input.off("data", hear);
    input.setRawMode(false);
    input.pause();
  };
}
