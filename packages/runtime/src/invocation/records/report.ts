import { authorStack, explainError, explainLeft, type AuthorSource, type AuthorSources } from "@x/components";
import {
  bundleFileName,
  preludeFileName,
  type Entry,
  type GuestLog,
  type LeftWork,
  type ThrownError,
} from "@x/sandbox";
import { cutError, cutText, type GuestError, type Json, type Limits, type LogRecord, type Steps } from "@x/model";
import type { CachedSource } from "../lane/source-cache.ts";
import { maskWith, type SecretMask, type SecretMasks } from "../secrets/secret-mask.ts";

/** What a report reads of an ended call. */
export interface Reported {
  readonly executionId: string;
  readonly entry: Entry;
  readonly logs: readonly GuestLog[];
  readonly error: ThrownError | undefined;
  /** Source map of the component; an empty one where no text names the bundle. */
  readonly sourceMap: string;
  /** Work that was not awaited. */
  readonly left?: LeftWork | undefined;
  /** Credentials that the call could read. */
  readonly auth: { readonly [prop: string]: Json };
}

export interface ReportRules {
  /** Reads a source map. */
  readonly sources: AuthorSources;
  readonly now: number;
  readonly masks: SecretMasks;
  readonly limits: Pick<Limits, "logRecordBytes">;
}

export interface Report {
  readonly error: GuestError | undefined;
  readonly logs: LogRecord[];
  /** For other texts of the call. */
  readonly mask: SecretMask;
}

const hooks: readonly Entry[] = ["deploy", "activate", "deactivate"];

/** The error as shown; its name is the code when the runtime, not the component, raised it. */
function reportError(
  error: ThrownError,
  { component }: CachedSource,
  source: AuthorSource,
  mask: SecretMask,
): GuestError {
  const thrown = error.code === "component_threw" || error.code === "sandbox_crashed";
  const declared = { props: component.shape.props.map(({ name }) => name) };
  const { name, message, stack, hint } = explainError(error, source, declared);
  return cutError({
    code: error.code,
    name: thrown ? mask.text(name) : error.code,
    message: mask.text(message),
    stack: mask.text(stack),
    ...(hint !== undefined && { hint: mask.text(hint) }),
  });
}

function contextOf(entry: Entry): { readonly context?: string } {
  if (entry === "run") return {};
  return { context: hooks.includes(entry) ? `hook.${entry}` : entry };
}

/** Source locations in stacks may make a record this many times as long as `logRecordBytes`. */
const mappedTimes = 4;

/** Replaces arguments beyond the limit by "…". */
function cutRecord(record: LogRecord, most: number): LogRecord {
  let room = most;
  const data = record.data?.map((value) => {
    room -= JSON.stringify(value).length;
    return room < 0 ? "…" : value;
  });
  return { ...record, ...(record.msg !== undefined && { msg: cutText(record.msg, most) }), ...(data && { data }) };
}

function logRecord(
  log: GuestLog,
  { executionId, entry }: Reported,
  mask: Pick<SecretMask, "text" | "value">,
): LogRecord {
  return {
    k: `console.${log.level}`,
    ts: log.at,
    msg: mask.text(log.msg),
    data: mask.value(JSON.parse(log.data) as Json[]) as Json[],
    execution_id: executionId,
    ...contextOf(entry),
  };
}

/** True when a text contains stack frames of the bundle or of the runtime's own guest code. */
const hasFrames = (text: string): boolean =>
  text.includes(`${bundleFileName}:`) || text.includes(`${preludeFileName}:`);

const emptyMap = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });

/** The source map for a report; read only when a text needs it. */
export function sourceMapFor(
  { component }: CachedSource,
  { error, logs, left }: Pick<Reported, "error" | "logs" | "left">,
  text: (hash: string) => string | Promise<string>,
): string | Promise<string> {
  const isNamed = error !== undefined || left !== undefined || logs.some((log) => hasFrames(log.msg + log.data));
  return isNamed ? text(component.texts.sourceMap) : emptyMap;
}

/** Error and logs of a call, with stack frames in the author's files and secrets hidden. */
export function* reportInSteps(cached: CachedSource, reported: Reported, rules: ReportRules): Steps<Report> {
  const mask = rules.masks.of(cached.component, cached.source, reported.auth);
  // Read when a text needs it, once.
  let read: AuthorSource | undefined;
  const author = (): AuthorSource => (read ??= rules.sources(reported.sourceMap));
  const logMask = maskWith((text) => mask.text(hasFrames(text) ? authorStack(text, author()) : text));
  const left = reported.left && explainLeft(reported.entry, reported.left, author());
  const most = mappedTimes * rules.limits.logRecordBytes;
  const warning: GuestLog[] = left === undefined ? [] : [{ level: "warn", msg: left, data: "[]", at: rules.now }];
  const error = reported.error && reportError(reported.error, cached, author(), mask);
  const logs: LogRecord[] = [];
  for (const log of [...reported.logs, ...warning]) {
    yield;
    logs.push(
      hasFrames(log.msg + log.data)
        ? cutRecord(logRecord(log, reported, logMask), most)
        : logRecord(log, reported, mask),
    );
  }
  return { mask, error, logs };
}
