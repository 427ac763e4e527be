import { withMessage } from "../model/error-catalogue/guest-error.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { isAccountError, sandboxCallFor } from "./sandbox-call.ts";
import type { Clock } from "../process/clock.ts";
import { collect } from "./collected.ts";
import { type ExecuteParts, withRenewed } from "./execute.ts";
import { XError } from "../model/errors.ts";
import { newSortableId } from "../process/ids.ts";
import type { Component, GuestError, Json, LogRecord, Source } from "../model/model.ts";
import { reportInSteps, type ReportRules, sourceMapFor } from "./records/report.ts";
import type { CachedSource } from "./lane/source-cache.ts";
import type { Outcome, Sandbox } from "../sandbox/contract.ts";
import { inSlices } from "../process/slices.ts";
import type { Turns } from "./lane/turns.ts";

export interface AskParts extends Pick<ExecuteParts, "callRules" | "fetchFor"> {
  readonly sandbox: Pick<Sandbox, "call">;
  readonly settleRules: () => ReportRules;
  readonly accounts: Pick<Accounts, "hold">;
  readonly clock: Clock;
  readonly turns: Turns;
}

/** A call whose answer is returned and whose effects are dropped. */
export interface Question {
  readonly entry: "options" | "additionalProps";
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
    const sandboxCall = await sandboxCallFor(cached, { entry, event: JSON.stringify(event) }, parts.callRules);
    const renewed: Json[] = [];
    const collected = collect({
      fetch: parts.fetchFor({ userId: source.userId, hops: 0 }, (auth) => renewed.push(auth)),
      logsPerRun: parts.callRules.limits.logsPerRun,
    });
    // A separate id: a question that blocks its thread must not count against the source's runs.
    const outcome: Outcome = await parts.sandbox.call(
      { ...sandboxCall, sourceId: `${source.id} asked` },
      collected.host,
    );
    if (outcome.error?.code === "closed") throw new XError("closed", []);
    const executionId = newSortableId(parts.clock.now());
    const rules = parts.settleRules();
    const ended = { logs: collected.logs.records(outcome.droppedLogs ?? 0), error: outcome.error, left: outcome.left };
    const sourceMap = await sourceMapFor(cached, ended, parts.callRules.text);
    const reported = { executionId, entry, ...ended, sourceMap, auth: withRenewed(sandboxCall.self.auth, renewed) };
    const { error, logs: observations, mask } = await inSlices(reportInSteps(cached, reported, rules));
    return { result: outcome.result, error, observations, mask: mask.text };
  };
  return parts.turns.run(source.userId, async () => {
    using _accounts = await parts.accounts.hold({ source, component, isChosen });
    return await call().catch(withoutAccount);
  });
}
