import { afterRealTime, cutError, monotonicMs, type GuestError, type Json, type Logger } from "@x/model";
import type { WorkflowHandler } from "./handler-contract.ts";
import { closedError, closedOutcome } from "./closed.ts";
import type { CallHost, Outcome, Sandbox, SandboxCall } from "./contract.ts";
import type { EffectRules } from "./thread/effects.ts";
import { handlerTimedOut } from "./timeouts.ts";
import { createServices } from "./handler-services.ts";

export interface HandlersOptions {
  /** The function that runs for this workflow instead of the sandbox. */
  find(sourceId: string): WorkflowHandler | undefined;
  readonly rules: Omit<EffectRules, "dedupe">;
  /** Epoch ms for the times of emits and logs. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Name of the step that a handler's errors are reported for. */
const stepName = "handler";

function describe(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "a value that cannot be shown";
  }
}

/** A string member of an error. Libraries put other values there, and getters may throw. */
function textOf(thrown: unknown, member: "name" | "message" | "stack"): string | undefined {
  try {
    const value: unknown = thrown instanceof Error ? thrown[member] : undefined;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function readError(thrown: unknown): GuestError {
  const name = textOf(thrown, "name") ?? "Error";
  const message = textOf(thrown, "message") ?? describe(thrown);
  const stack = textOf(thrown, "stack") ?? `${name}: ${message}`;
  return cutError({ code: "component_threw", name, message, stack });
}

/**
 * Runs functions of the embedder for their workflows, and everything else in `sandbox`. They run in this process without
 * isolation, but with the same effects, a deadline, and errors as data.
 */
export function withHandlers(sandbox: Sandbox, options: HandlersOptions): Sandbox {
  const running = new Set<() => void>();
  let closed = false;

  function run(handler: WorkflowHandler, call: SandboxCall, host: CallHost): Promise<Outcome> {
    const { timeoutMs } = call.limits;
    const startedAt = monotonicMs();
    const ended = Promise.withResolvers<Outcome>();
    const abort = new AbortController();
    let isOver = false;
    const end = (status: Outcome["status"], error?: GuestError): void => {
      if (isOver) return;
      isOver = true;
      running.delete(close);
      cancel();
      abort.abort();
      const durationMs = monotonicMs() - startedAt;
      ended.resolve({ status, ...(error && { error }), durationMs, computeMs: 0, memoryBytes: 0 });
    };
    const close = (): void => end("error", closedError);
    const cancel = afterRealTime(timeoutMs, () => end("timeout", handlerTimedOut(timeoutMs)));
    running.add(close);
    host.step(stepName);

    const { rules, now, logger } = options;
    const work = async (): Promise<void> => {
      const $ = createServices({ call, host, rules, now, isOver: () => isOver, exit: () => end("ok") });
      await handler(JSON.parse(call.event) as Json, { $, signal: abort.signal });
    };
    work().then(
      () => end("ok"),
      (thrown: unknown) => {
        const error = readError(thrown);
        // The stack names files of the embedder, so only the embedder's log gets it.
        if (!isOver) logger.warn("a workflow's handler failed", { source: call.sourceId, error: error.stack });
        end("error", error);
      },
    );
    return ended.promise;
  }

  return {
    warm: () => sandbox.warm(),
    describe: (bundle, limits) => sandbox.describe(bundle, limits),
    call(call, host) {
      const handler = options.find(call.sourceId);
      if (!handler) return sandbox.call(call, host);
      return closed ? Promise.resolve(closedOutcome()) : run(handler, call, host);
    },
    stats: () => sandbox.stats(),
    async close() {
      closed = true;
      for (const end of running) end();
      await sandbox.close();
    },
  };
}
