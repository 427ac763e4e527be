import {
  XError,
  inSlices,
  newSortableId,
  type Clock,
  type Component,
  type GuestError,
  type Json,
  type LogRecord,
  type Source,
  withMessage,
} from "@x/model";
import type { Accounts } from "@x/accounts";
import { isAccountError, sandboxCallFor } from "./sandbox-call.ts";
import { collect, type Trace } from "./collected.ts";
import { type ExecuteParts, withRenewed } from "./component-call.ts";
import { shownCalls } from "./observation.ts";
import type { Observer } from "../observe/contract.ts";
import { reportInSteps, type ReportRules, sourceMapFor } from "./records/report.ts";
import type { CachedSource } from "./lane/source-cache.ts";
import type { Outcome, Sandbox } from "@x/sandbox";
import type { UserQueues } from "./lane/user-queue.ts";

export interface AskParts extends Pick<ExecuteParts, "callRules" | "fetchFor"> {
  readonly sandbox: Pick<Sandbox, "call">;
  readonly settleRules: () => ReportRules;
  readonly accounts: Pick<Accounts, "hold">;
  readonly clock: Clock;
  readonly observer: Pick<Observer, "working" | "asked">;
  readonly queues: UserQueues;
}

/** A call whose answer is returned and whose effects are dropped. */
export interface Question {
  readonly entry: "options" | "additionalProps" | "eventNames";
  /** The event of the call. */
  readonly event: Json;
  /** Props that the caller configured for this question. */
  readonly given: object;
}

export interface Answer {
  /** JSON text; undefined when the component returned undefined or threw. */
  readonly result: string | undefined;
  readonly error: GuestError | undefined;
  readonly observations: readonly LogRecord[];
  /** Hides secrets in other texts about the answer. */
  readonly mask: (text: string) => string;
}

/**
 * A source for a component that is not deployed, so that `ask` can call it. It has no db, no endpoint and no lane, and
 * uses the accounts of this user, also when another user owns the component.
 */
export function draftSource(
  component: Component,
  configuredProps: Source["configuredProps"],
  userId: string,
): CachedSource {
  const { id, shape, createdAt, updatedAt } = component;
  const source: Source = {
    id,
    userId,
    componentId: id,
    deploymentId: "",
    name: shape.name,
    nameSlug: "",
    active: false,
    configuredProps,
    endpoints: {},
    emitOnDeploy: false,
    settings: {},
    createdAt,
    updatedAt,
  };
  return { source, component, dedupe: {}, heads: {}, db: new Map(), untrimmed: new Map() };
}

/** What holds the main thread, in the words of the log. */
const works = { options: "options", additionalProps: "dynamic props", eventNames: "event names" } as const;

function withoutAccount(error: unknown): Answer {
  if (!XError.is(error) || !isAccountError(error)) throw error;
  const { code, message } = error;
  return { result: undefined, error: withMessage(code, message), observations: [], mask: (text) => text };
}

/** Calls an entry that answers. Drops its events, db writes and logs. */
export async function ask(cached: CachedSource, question: Question, parts: AskParts): Promise<Answer> {
  const { source, component } = cached;
  const { entry, event, given } = question;
  const isChosen = (prop: string): boolean => Object.hasOwn(given, prop);
  const call = async (): Promise<Answer> => {
    parts.observer.working(`the begin of ${works[entry]}`, source.id);
    const sandboxCall = await sandboxCallFor(cached, { entry, event: JSON.stringify(event) }, parts.callRules);
    const renewed: Json[] = [];
    const trace: Trace | undefined = parts.observer.asked && { steps: [], calls: [] };
    const collected = collect({
      fetch: parts.fetchFor({ userId: source.userId, hops: 0 }, (auth) => renewed.push(auth)),
      dataStores: { store: parts.callRules.store, userId: source.userId, limits: parts.callRules.limits },
      logsPerRun: parts.callRules.limits.logsPerRun,
      trace,
    });
    // A separate id: a question that blocks its thread must not count against the source's runs.
    const outcome: Outcome = await parts.sandbox.call(
      { ...sandboxCall, sourceId: `${source.id} asked` },
      collected.host,
    );
    void collected.dataStores.end(false);
    if (outcome.error?.code === "closed") throw new XError("closed", []);
    parts.observer.working(`the end of ${works[entry]}`, source.id);
    const executionId = newSortableId(parts.clock.now());
    const rules = parts.settleRules();
    const ended = { logs: collected.logs.records(outcome.droppedLogs ?? 0), error: outcome.error, left: outcome.left };
    const sourceMap = await sourceMapFor(cached, ended, parts.callRules.text);
    const reported = { executionId, entry, ...ended, sourceMap, auth: withRenewed(sandboxCall.self.auth, renewed) };
    const { error, logs: observations, mask } = await inSlices(reportInSteps(cached, reported, rules));
    if (trace) {
      const { id: componentId } = component;
      parts.observer.asked?.({ entry, componentId, userId: source.userId, calls: shownCalls(trace.calls, mask) });
    }
    return { result: outcome.result, error, observations, mask: mask.text };
  };
  return parts.queues.run(source.userId, async () => {
    using _accounts = await parts.accounts.hold({ source, component, isChosen });
    return await call().catch(withoutAccount);
  });
}
