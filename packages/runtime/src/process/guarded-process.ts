import { fork, type ChildProcess } from "node:child_process";

import { findProcessUse, type ProcessUse } from "./process-use.ts";

export interface GuardedProcessOptions {
  /** The module that it runs. */
  readonly entry: string;
  /** Working folder. */
  readonly cwd: string;
  /** Its environment; absent: this process's own. */
  readonly env?: { readonly [name: string]: string };
  /** Longest time of one answer, the start of the process included. */
  readonly timeoutMs: number;
  /**
   * Most time of processors for one answer, of the process and its children together. Where the system does not tell it, it
   * is the longest time.
   */
  readonly cpuMs?: number;
  /** Most resident memory that one answer may add to what the process and its children had before. */
  readonly memoryBytes: number;
}

export interface Allowance {
  readonly time: number;
  readonly memory: number;
}

/** How a process ended that gave no answer. */
export interface ProcessEnd {
  readonly kind: "timeout" | "out_of_cpu_time" | "out_of_memory" | "died";
}

/** A process good for many questions, one at a time. After a bad end it is dead. */
export interface GuardedProcess<Question, Answer> {
  readonly alive: boolean;
  /** Resident memory of the process and its children now; undefined where the system does not tell. */
  findMemory(): number | undefined;
  /**
   * `noted` hears every message before the answer, which `isAnswer` tells from them. `allowance`: how many times the usual
   * time and memory this question may take.
   */
  ask(question: Question, noted?: (message: unknown) => void, allowance?: Allowance): Promise<Answer | ProcessEnd>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

const useCheckMs = 20;

/** Starts a process in a group of its own, which ends as a whole. While idle it does not keep its host alive. */
export function startGuardedProcess<Question extends object, Answer>(
  options: GuardedProcessOptions,
  isAnswer: (message: unknown) => message is Answer,
): GuardedProcess<Question, Answer> {
  const child = fork(options.entry, [], {
    cwd: options.cwd,
    detached: true,
    ...(options.env && { env: options.env }),
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let alive = true;
  let ended = false;
  /** Somebody waits until it is gone. */
  let awaited = false;
  const kill = (): void => {
    alive = false;
    // A number of a process that is gone may already be another's.
    if (!ended) killGroup(child);
  };
  /** Of the question that is being answered: a reaction to `gone` would keep each answer for as long as the process lives. */
  let died = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      // What it started may outlive it.
      kill();
      ended = true;
      died();
      resolve();
    };
    child.once("exit", end);
    child.on("error", end);
  });
  setReferenced(child, false);
  const findUse = (): ProcessUse | undefined => (child.pid === undefined ? undefined : findProcessUse(child.pid));
  /** What it took for answers before is not charged to the next; its start is charged to the first. */
  let hasAnswered = false;

  return {
    get alive() {
      return alive;
    },
    async ask(question, noted, allowance = { time: 1, memory: 1 }) {
      setReferenced(child, true);
      const { promise, resolve } = Promise.withResolvers<Answer | ProcessEnd>();
      const stop = (kind: Exclude<ProcessEnd["kind"], "died">): void => {
        kill();
        resolve({ kind });
      };
      // Real time, not the runtime's clock: these two watch a process, not the schedule of a component.
      const { timeoutMs, cpuMs = Number.POSITIVE_INFINITY, memoryBytes } = options;
      const now = findUse();
      const before = hasAnswered && now ? now : { memoryBytes: 0, cpuMs: 0 };
      const deadline = setTimeout(
        () => stop("timeout"),
        (now ? timeoutMs : Math.min(timeoutMs, cpuMs)) * allowance.time,
      );
      const watch = setInterval(() => {
        const use = findUse();
        if (!use) return;
        if (use.memoryBytes - before.memoryBytes > memoryBytes * allowance.memory) stop("out_of_memory");
        else if (use.cpuMs - before.cpuMs > cpuMs * allowance.time) stop("out_of_cpu_time");
      }, useCheckMs);
      const onMessage = (message: unknown): void => {
        if (isAnswer(message)) resolve(message);
        else noted?.(message);
      };
      child.on("message", onMessage);
      died = () => resolve({ kind: "died" });
      if (ended) died();
      // A process that is gone answers by its end.
      child.send(question, () => {});
      try {
        return await promise;
      } finally {
        clearTimeout(deadline);
        clearInterval(watch);
        child.off("message", onMessage);
        died = () => undefined;
        hasAnswered = true;
        if (!awaited) setReferenced(child, false);
      }
    },
    findMemory: () => findUse()?.memoryBytes,
    async kill() {
      awaited = true;
      setReferenced(child, true);
      kill();
      await gone;
    },
  };
}

function setReferenced(child: ChildProcess, referenced: boolean): void {
  if (referenced) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone already, or the system knows none.
    child.kill("SIGKILL");
  }
}
