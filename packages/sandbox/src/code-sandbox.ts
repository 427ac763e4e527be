import { checkPlatform, type Json, resolveLimits, sha256Hex } from "@x/model";
import type { CallHost, GuestLog, Outcome, SelfData } from "./contract.ts";
import { noEffects } from "./no-effects.ts";
import { createPool } from "./pool/pool.ts";

export interface CodeSandboxOptions {
  /** Threads that run code; default: cores - 1, at least 1. They start with the first run. */
  readonly workers?: number;
  /** One run, evaluation of its code included, in milliseconds; default 5,000. */
  readonly timeoutMs?: number;
  /** Memory of one run; default 64 MiB. */
  readonly memoryBytes?: number;
  /** Sends the requests of the code; absent: they fail. Give one that refuses private addresses to code that nobody trusts. */
  readonly fetch?: CallHost["fetch"];
}

/** How a run ended. `value` and `error` exclude each other. */
export interface CodeResult extends Pick<Outcome, "status" | "error" | "durationMs" | "computeMs" | "memoryBytes"> {
  /** What the function returned, as JSON: null for undefined; absent unless `status` is "ok". */
  readonly value?: Json;
  /** Up to 100 records of `console`, `data` is the JSON text of its arguments. */
  readonly logs: readonly GuestLog[];
}

/** Runs functions that nobody trusts. */
export interface CodeSandbox {
  /**
   * Calls the function that a CommonJS module exports, with an input of JSON data, and waits for its result. Never rejects
   * because of the code. Each run has a realm of its own; nothing of one run is left to the next. An aborted run ends with
   * the error code `closed`.
   */
  run(code: string, input?: Json, signal?: AbortSignal): Promise<CodeResult>;
  /** Stops all runs and threads. */
  close(): Promise<void>;
}

const self: SelfData = { props: {}, http: {}, timers: {}, db: [], auth: {} };
const noNetwork: CallHost["fetch"] = () => Promise.reject(new Error("This sandbox has no network"));

/** The function as a component that emits its result. The code keeps its lines. */
const asComponent = (code: string): string =>
  `${code}\n;(main=>{module.exports={async run(input){this.$emit(await main(input))}}})(module.exports.default??module.exports)`;

/** Creates threads that run code. Rejects with `invalid_options` for limits that are no positive integers. */
export async function createSandbox(options: CodeSandboxOptions = {}): Promise<CodeSandbox> {
  const { workers, timeoutMs = 5_000, memoryBytes = 64 * 1024 * 1024, fetch = noNetwork } = options;
  const limits = resolveLimits({ runTimeoutMs: timeoutMs, memoryBytes });
  const pool = createPool({ workers, limits });
  return {
    async run(code, input = null, signal) {
      const text = asComponent(code);
      const hash = sha256Hex(text);
      let value: string | undefined;
      const logs: GuestLog[] = [];
      const host: CallHost = {
        ...noEffects,
        restart() {
          value = undefined;
          logs.length = 0;
        },
        emit: ({ payload }) => void (value ??= payload),
        log: (record) => void logs.push(record),
        fetch,
      };
      const call = {
        sourceId: hash,
        bundle: { hash, code: text },
        entry: "run",
        self,
        db: new Map<string, string>(),
        event: JSON.stringify(input),
        dedupe: undefined,
        emit: true,
        limits: { timeoutMs, memoryBytes },
        warm: false,
      } as const;
      const { status, error, durationMs, computeMs, memoryBytes: used } = await pool.call(call, host, signal);
      return {
        status,
        ...(error && { error }),
        ...(status === "ok" && { value: JSON.parse(value ?? "null") as Json }),
        logs,
        durationMs,
        computeMs,
        memoryBytes: used,
      };
    },
    close: () => pool.close(),
  };
}

// At the import: what else fails first on an old Node says nothing.
checkPlatform();
