import {
  XError,
  guestError,
  monotonicMs,
  type Cause,
  type Json,
  type LoadedRequest,
  type SourceType,
  type TriggerOrigin,
  withMessage,
} from "@x/model";
import type { Renewed } from "@x/accounts";
import { type CallRules, type EntryInput, isAccountError, sandboxCallFor } from "./sandbox-call.ts";
import { collect, type Collected, type Trace } from "./collected.ts";
import type { ExecutionRecorder } from "./recorder-contract.ts";
import { executionContext } from "./records/error-record.ts";
import type { CachedSource } from "./lane/source-cache.ts";
import type { CallHost, GuestResponse, Outcome, Sandbox, SandboxCall } from "@x/sandbox";
import type { Executed, SettleRules } from "./settle.ts";
import type { Change } from "@x/store";
import { requireResponse } from "./no-response.ts";
import type { Observer, Tracing } from "../observe/contract.ts";
import type { RunPhases } from "../api/observe-api.ts";
import type { RunTrace } from "./run-trace.ts";

/** The sender of a request: a run of a source, or a question to a component, which has no lane. */
export interface Caller {
  readonly sourceId?: string;
  readonly userId: string;
  /** Subscriptions and endpoint calls in the chain that led here. */
  readonly hops: number;
  /** Of a run whose execution is stored. */
  readonly executionId?: string;
}

export interface ExecuteParts {
  readonly sandbox: Sandbox;
  readonly callRules: CallRules;
  /** The requests of one call. `renewed` receives credentials that were renewed during the call. */
  readonly fetchFor: (caller: Caller, renewed: Renewed) => CallHost["fetch"];
  readonly settleRules: () => SettleRules;
  /** Epoch ms of the runtime's clock. */
  readonly now: () => number;
  readonly observer: Observer;
  /** Absent where no SDK for traces is registered. */
  readonly tracing?: Tracing | undefined;
  readonly recorder: ExecutionRecorder;
}

export interface EntryCall extends EntryInput {
  readonly executionId: string;
  readonly type: SourceType;
  readonly at: number;
  readonly respond?: (response: GuestResponse) => void;
  /** Of a hook: tells what runs of the source write to its db meanwhile. */
  readonly followDb?: CallHost["followDb"];
  /** Of a hook, and of a run beside one: changes that will be committed with its own. */
  readonly uncommitted?: readonly Change[];
  /** Resolves when the call may be settled: calls of one source at the same time are settled one after another. */
  readonly turnToSettle?: () => Promise<void>;
  /** Absent when no other event caused this one. */
  readonly cause?: Cause;
  readonly origin?: TriggerOrigin;
  /** The request as it was received, where its execution is stored. */
  readonly received?: LoadedRequest;
  /** Logged before the component's own records. */
  readonly warnings?: readonly string[];
}

/** A run beyond the last allowed hop of a chain of subscriptions fails with this error and is not called. */
function loopOutcome(hops: number): Outcome {
  const error = guestError("subscription_loop", String(hops));
  return { status: "error", error, durationMs: 0, computeMs: 0, memoryBytes: 0 };
}

/** Workflow steps and actions can read the context of their execution. */
const withContext = (sandboxCall: SandboxCall, { component, source }: CachedSource, call: EntryCall): SandboxCall =>
  component.shape.workflow || (component.shape.action && call.entry === "run")
    ? { ...sandboxCall, workflow: { context: executionContext(source, call) } }
    : sandboxCall;

/** A call that ended, with what it did. */
export interface Called extends Answered {
  readonly collected: Collected;
  /** For observers; absent when nobody reads it. */
  readonly trace: Trace | undefined;
  /** For the stored execution; absent when none is stored. */
  readonly runTrace: RunTrace | undefined;
  readonly phases: RunPhases;
}

interface Answered {
  readonly outcome: Outcome;
  readonly auth: Executed["auth"];
}

/** The outcome of a call without credentials: the component is not called. */
function withoutAccount(error: unknown): Answered {
  if (!XError.is(error) || !isAccountError(error)) throw error;
  const thrown = withMessage(error.code, error.message);
  return { outcome: { status: "error", error: thrown, durationMs: 0, computeMs: 0, memoryBytes: 0 }, auth: {} };
}

/** The credentials of a call, with those that replaced them meanwhile: all of them are masked. */
export const withRenewed = (auth: Executed["auth"], renewed: readonly Json[]): Executed["auth"] =>
  renewed.length === 0 ? auth : { ...auth, "": [...renewed] };

/** Calls one entry of a source. Changes nothing. */
export async function callComponent(cached: CachedSource, call: EntryCall, parts: ExecuteParts): Promise<Called> {
  const { observer, callRules, sandbox } = parts;
  const { id: sourceId, userId } = cached.source;
  const { deliveryHops, logsPerRun } = callRules.limits;
  const hops = call.cause?.hops ?? 0;
  const trace: Trace | undefined = observer.ended && { steps: [], calls: [] };
  const runTrace = parts.recorder.begin(cached.source);
  const queuedMs = Math.max(0, parts.now() - call.at);
  const startedAt = monotonicMs();
  const renewed: Json[] = [];
  const caller = { sourceId, userId, hops, ...(runTrace && { executionId: call.executionId }) };
  const collected = collect({
    fetch: parts.fetchFor(caller, (auth) => renewed.push(auth)),
    dataStores: {
      store: callRules.store,
      userId,
      limits: callRules.limits,
      ...(call.uncommitted && { before: call.uncommitted }),
    },
    trace,
    runTrace,
    logsPerRun,
    ...(call.respond ? { respond: call.respond } : {}),
    ...(call.followDb && { followDb: call.followDb }),
  });
  for (const msg of call.warnings ?? []) collected.host.log({ level: "warn", msg, data: "[]", at: call.at });
  observer.working("the begin of a run", sourceId);
  const { outcome, auth } = await sandboxCallFor(cached, call, callRules).then(
    async (sandboxCall): Promise<Answered> => ({
      outcome:
        hops > deliveryHops
          ? loopOutcome(hops)
          : await sandbox.call(withContext(sandboxCall, cached, call), collected.host),
      auth: sandboxCall.self.auth,
    }),
    withoutAccount,
  );
  const refused = await collected.dataStores.end(outcome.status === "ok");
  if (refused !== undefined) collected.host.log({ level: "warn", msg: refused, data: "[]", at: parts.now() });
  runTrace?.end();
  // The runtime stopped the call while closing: drop its effects and keep its trigger.
  if (outcome.error?.code === "closed") throw new XError("closed", []);
  const isUnanswered = outcome.status === "ok" && !collected.response;
  return {
    collected,
    trace,
    runTrace,
    phases: { queuedMs, sandboxMs: monotonicMs() - startedAt },
    outcome: isUnanswered ? requireResponse(outcome, cached.component.shape, call.httpProp) : outcome,
    auth: withRenewed(auth, renewed),
  };
}
