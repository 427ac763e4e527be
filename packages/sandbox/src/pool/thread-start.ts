import { Worker } from "node:worker_threads";

import { builtFile } from "../machine/built-file.ts";
import type { BootData } from "../thread/messages.ts";

/** `worker.ts`, as the build bundles it. */
const entry = builtFile("threads/sandbox.mjs");

/** Enough for the guest's recursion with its own stack of 256 KiB. */
const stackSizeMb = 32;
/** Threads make little garbage of their own; with the default each would keep tens of megabytes of it. */
const maxYoungGenerationSizeMb = 8;

const startThread = (boot: BootData = {}): Worker =>
  new Worker(entry, {
    workerData: boot,
    resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb },
    env: {},
    execArgv: [],
    stdin: false,
  });

/** A thread that nobody has taken yet. */
let early: Worker | undefined;

/**
 * Starts the thread that the next runtime takes, so that it boots and opens the engine while the program loads its modules. To
 * be called before `@x/runtime` is imported. The thread does not keep the process alive.
 */
export function prestart(): void {
  if (early) return;
  const thread = startThread();
  const forget = (): void => {
    if (early === thread) early = undefined;
  };
  // The pool that takes it listens, too.
  thread.once("error", forget).once("exit", forget).unref();
  early = thread;
}

/** A thread of `worker.ts`, whose first message must be its `ThreadData`. */
export function takeThread(boot: BootData): Worker {
  const taken = early;
  early = undefined;
  // It has booted with the defaults.
  if (taken && Object.keys(boot).length === 0) return taken;
  void taken?.terminate();
  return startThread(boot);
}
