import { close, open, url, waitForDebugger } from "node:inspector";

import { EnvironmentError } from "../errors.ts";

const host = "127.0.0.1";
/** Debuggers look for this port. */
const usualPort = 9_229;
const anyPort = 0;

/** Opens the inspector and waits for a debugger to attach; disposing of the result closes the inspector. */
export function waitForDebuggerToAttach(): Disposable {
  const isOurs = url() === undefined;
  for (const port of [usualPort, anyPort]) if (url() === undefined) open(port, host);
  if (url() === undefined) throw new EnvironmentError("the inspector cannot listen: no port is free");
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
