import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

import { afterRealTime } from "./clock.ts";

export interface GuardedProcessOptions {
  /** The module that the process runs. */
  readonly entry: string;
  /** Working folder. */
  readonly cwd: string;
  /** Default: the environment of this process. */
  readonly env?: { readonly [name: string]: string };
  /** Longest time to one answer in ms, with the start of the process. */
  readonly timeoutMs: number;
  /**
   * Processor time for one answer in ms, of the process and its children together. Where the system does not report it,
   * this limits the elapsed time.
   */
  readonly cpuMs?: number;
  /** Resident memory that one answer may add to that of the process and its children. */
  readonly memoryBytes: number;
}

export interface Allowance {
  readonly time: number;
  readonly memory: number;
}

/** How a process ended without an answer. */
export interface ProcessEnd {
  readonly kind: "timeout" | "out_of_cpu_time" | "out_of_memory" | "died";
}

/** A process that answers many questions, one at a time. It dies at a limit. */
export interface GuardedProcess<Question, Answer> {
  readonly alive: boolean;
  /** Current resident memory of the process and its children; undefined where the system does not report it. */
  findMemory(): number | undefined;
  /**
   * `onMessage` receives every message before the answer. `allowance`: factors of the time and memory limits for this
   * question.
   */
  ask(question: Question, onMessage?: (message: unknown) => void, allowance?: Allowance): Promise<Answer | ProcessEnd>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

const useCheckMs = 20;

/** Starts a process in its own group, which ends as a whole. While idle it does not keep this process alive. */
export function startGuardedProcess<Question extends object, Answer>(
  options: GuardedProcessOptions,
  isAnswer: (message: unknown) => message is Answer,
): GuardedProcess<Question, Answer> {
  // Loaded here, because most programs that load this module start no process.
  const { fork } = process.getBuiltinModule("node:child_process");
  const child = fork(options.entry, [], {
    cwd: options.cwd,
    detached: true,
    ...(options.env && { env: options.env }),
    // V8 would let these short-lived processes grow to twice as much before it collects garbage.
    execArgv: ["--max-semi-space-size=2", "--heap-growing-percent=20"],
    // Large texts cross as they are; JSON would be two more copies of each.
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let alive = true;
  let ended = false;
  /** A caller waits for its end. */
  let awaited = false;
  const kill = (): void => {
    alive = false;
    // The id of an ended process may belong to another one.
    if (!ended) killGroup(child);
  };
  /** Ends the current question. A callback of `gone` would hold each answer until the process ends. */
  let died = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      // Its children may outlive it.
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
  /** The first answer pays for the start; each later one pays only for itself. */
  let hasAnswered = false;

  return {
    get alive() {
      return alive;
    },
    async ask(question, onMessage, allowance = { time: 1, memory: 1 }) {
      setReferenced(child, true);
      const { promise, resolve } = Promise.withResolvers<Answer | ProcessEnd>();
      const stop = (kind: ProcessEnd["kind"]): void => {
        kill();
        resolve({ kind });
      };
      // Real time, not the runtime's clock, because these two watch a process.
      const { timeoutMs, cpuMs = Number.POSITIVE_INFINITY, memoryBytes } = options;
      const now = findUse();
      const before = hasAnswered && now ? now : { memoryBytes: 0, cpuMs: 0 };
      const stopDeadline = afterRealTime((now ? timeoutMs : Math.min(timeoutMs, cpuMs)) * allowance.time, () =>
        stop("timeout"),
      );
      const watch = setInterval(() => {
        const use = findUse();
        if (!use) return;
        if (use.memoryBytes - before.memoryBytes > memoryBytes * allowance.memory) stop("out_of_memory");
        else if (use.cpuMs - before.cpuMs > cpuMs * allowance.time) stop("out_of_cpu_time");
      }, useCheckMs);
      const receive = (message: unknown): void => {
        if (isAnswer(message)) resolve(message);
        else onMessage?.(message);
      };
      child.on("message", receive);
      died = () => resolve({ kind: "died" });
      // Without file descriptors there is no connection, and soon no process.
      if (ended || !child.connected) stop("died");
      else child.send(question, () => {});
      try {
        return await promise;
      } finally {
        stopDeadline();
        clearInterval(watch);
        child.off("message", receive);
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
    // The group has ended, or the system has no groups.
    child.kill("SIGKILL");
  }
}

/** Resources of a process and its direct children together. */
export interface ProcessUse {
  /** Resident memory. */
  readonly memoryBytes: number;
  /** Processor time since their start. */
  readonly cpuMs: number;
}

/** Linux counts in hundredths of a second on every machine that runs Node. */
const tickMs = 10;

/** Reads the resources of a process; undefined where the system does not report them. */
export function findProcessUse(processId: number): ProcessUse | undefined {
  const own = useOf(processId);
  if (own === undefined) return undefined;
  const children = read(`/proc/${processId}/task/${processId}/children`)?.split(" ").filter(Boolean) ?? [];
  return children
    .flatMap((child) => useOf(Number(child)) ?? [])
    .reduce((sum, use) => ({ memoryBytes: sum.memoryBytes + use.memoryBytes, cpuMs: sum.cpuMs + use.cpuMs }), own);
}

function useOf(processId: number): ProcessUse | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${processId}/status`) ?? "")?.[1];
  // The name before them may contain anything; the times are the twelfth and thirteenth field after it.
  const fields = read(`/proc/${processId}/stat`)?.split(") ").at(-1)?.split(" ") ?? [];
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (kibibytes === undefined || Number.isNaN(ticks)) return undefined;
  return { memoryBytes: Number(kibibytes) * 1024, cpuMs: ticks * tickMs };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
