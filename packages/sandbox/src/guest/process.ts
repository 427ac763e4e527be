import { monotonicMs } from "./host.ts";

const nodeVersion = "24.0.0";
const workingFolder = "/tmp";
const nanosPerMs = 1_000_000n;

type Job = (...args: unknown[]) => void;
type Write = (text: string) => void;

/** A standard stream that writes to the log by lines; an incomplete line is kept. */
function lines(log: Write, fd: number): object {
  let pending = "";
  const stream = {
    fd,
    isTTY: false,
    writable: true,
    write(chunk: unknown, ...rest: unknown[]): boolean {
      const done = rest.at(-1);
      const parts = (pending + String(chunk)).split("\n");
      pending = parts.pop() ?? "";
      for (const line of parts) log(line);
      if (typeof done === "function") void Promise.resolve().then(() => (done as Job)());
      return true;
    },
    end(chunk?: unknown): void {
      if (chunk !== undefined) stream.write(chunk);
      if (pending !== "") stream.write("\n");
    },
    on: () => stream,
    once: () => stream,
    off: () => stream,
    emit: () => false,
    removeListener: () => stream,
    removeAllListeners: () => stream,
    listenerCount: () => 0,
  };
  return stream;
}

const unavailable = (name: string) => (): never => {
  throw Object.assign(new Error(`process.${name} is not available to components`), {
    code: "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
  });
};

const listening =
  "on addListener once off removeListener removeAllListeners prependListener prependOnceListener setMaxListeners";

/** `process` with neutral values: nothing of the host. */
export function createProcess(reportError: (error: unknown) => void): object {
  const output = globalThis as unknown as { console: { log: Write; error: Write; warn: Write } };
  const startMs = (): number => monotonicMs();
  const nanos = (): bigint => BigInt(Math.round(startMs() * 1e6));
  const hrtime = (since?: [number, number]): [number, number] => {
    const now = nanos() - (since ? BigInt(since[0]) * 1000n * nanosPerMs + BigInt(since[1]) : 0n);
    return [Number(now / (1000n * nanosPerMs)), Number(now % (1000n * nanosPerMs))];
  };
  const listen = (): object => process;
  const process = {
    // Packages detect Node by it.
    [Symbol.toStringTag]: "process",
    title: "node",
    version: `v${nodeVersion}`,
    versions: { node: nodeVersion, v8: "13.6.0", uv: "1.50.0", modules: "137" },
    release: { name: "node" },
    arch: "x64",
    platform: "linux",
    pid: 1,
    ppid: 0,
    argv: ["node", "component"],
    argv0: "node",
    execArgv: [],
    execPath: "node",
    env: {},
    exitCode: undefined,
    config: { variables: {}, target_defaults: {} },
    features: {},
    stdout: lines((line) => output.console.log(line), 1),
    stderr: lines((line) => output.console.error(line), 2),
    stdin: { fd: 0, isTTY: false, on: listen, once: listen, resume: listen, pause: listen },
    nextTick: (job: unknown, ...args: unknown[]) => {
      if (typeof job !== "function") throw new TypeError("process.nextTick takes a function");
      void Promise.resolve()
        .then(() => (job as Job)(...args))
        .catch(reportError);
    },
    hrtime: Object.assign(hrtime, { bigint: nanos }),
    uptime: () => startMs() / 1000,
    cwd: () => workingFolder,
    umask: () => 0o22,
    memoryUsage: Object.assign(() => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), {
      rss: () => 0,
    }),
    cpuUsage: () => ({ user: 0, system: 0 }),
    resourceUsage: () => ({ userCPUTime: 0, systemCPUTime: 0, maxRSS: 0 }),
    emitWarning: (warning: unknown) => output.console.warn(String(warning)),
    ...Object.fromEntries(listening.split(" ").map((name) => [name, listen])),
    emit: () => false,
    listeners: () => [],
    listenerCount: () => 0,
    eventNames: () => [],
    ...Object.fromEntries(
      ["abort", "binding", "chdir", "dlopen", "exit", "kill", "reallyExit"].map((name) => [name, unavailable(name)]),
    ),
  };
  return process;
}
