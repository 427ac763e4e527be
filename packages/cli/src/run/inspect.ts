import { close, open, url, waitForDebugger } from "node:inspector";

import { EnvironmentError } from "../errors.ts";

const host = "127.0.0.1";
/** Where debuggers look. */
const usualPort = 9_229;
const anyPort = 0;

/** Lets a debugger in and waits for it; when it is disposed of, the debugger is let go. */
export function waitForDebuggerToAttach(): Disposable {
  const isOurs = url() === undefined;
  for (const port of [usualPort, anyPort]) if (url() === undefined) open(port, host);
  if (url() === undefined) throw new EnvironmentError("no debugger can be let in: no port is free");
  console.error(
    "Attach your editor's debugger, or chrome://inspect; it stops at breakpoints and at debugger statements.",
  );
  waitForDebugger();
  return {
    [Symbol.dispose]() {
      if (isOurs) close();
    },
  };
}
