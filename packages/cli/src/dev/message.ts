import { existsSync } from "node:fs";

import {
  type Execution,
  explainDrop,
  type Json,
  type LiveEvent,
  type LogRecord,
  type ObservedExecution,
  type Problem,
  XError,
} from "@x/runtime";

import { findCodeFrame, withFailedLine } from "../terminal/code-frame.ts";
import { failureText } from "../terminal/failure.ts";
import { messageOf } from "../errors.ts";
import type { DevFile, Loaded } from "./dev-file.ts";
import type { DevEmitter } from "./emitter.ts";
import type { AnsweredRequest } from "./recording-runtime.ts";

/** The state of a file. */
export interface FileState {
  readonly file: string;
  /** Absent until it is deployed. */
  readonly source?: string;
  readonly name?: string;
  readonly change?: "new" | "updated" | "unchanged";
  readonly endpoints: readonly string[];
  /** Next tick of its timer, ISO 8601. */
  readonly next_tick?: string;
  /** Slugs of apps whose props have no account. */
  readonly without_account?: readonly string[];
  /** The events of apps that it listens to. */
  readonly app_events?: readonly AppHookState[];
}

export interface AppHookState {
  readonly app: string;
  /** None: every event. */
  readonly event_names: readonly string[];
  /** Null while the app has no endpoint. */
  readonly endpoint_url: string | null;
}

/** The source or workflow that a message is about. */
interface OfSource {
  readonly source: string;
  readonly name: string;
}

/** A message of `x dev`, as `--json` prints it. */
export type DevMessage =
  | {
      readonly message: "serving";
      /** The base of endpoint URLs, where it is not that of `base_url`. */
      readonly public_url?: string;
      readonly base_url: string;
      readonly inspector_url?: string;
      readonly api_key: string;
      readonly data: string;
      readonly files: readonly FileState[];
      /** Files of earlier starts, whose sources are inactive now. */
      readonly resting: readonly string[];
    }
  | ({
      readonly message: "event";
      readonly id: string;
      readonly channel?: string;
      readonly summary?: string;
      readonly event: Json;
    } & OfSource)
  | ({ readonly message: "log"; readonly level: string; readonly text: string; readonly context?: string } & OfSource)
  | ({
      readonly message: "error";
      readonly error: { readonly name: string; readonly msg: string; readonly stack: string; readonly hint?: string };
      readonly frame?: string;
    } & OfSource)
  | ({
      readonly message: "request";
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly duration_ms: number;
    } & OfSource)
  /** A request of a run or hook. */
  | ({
      readonly message: "call";
      readonly method: string;
      readonly url: string;
      readonly status?: number;
      readonly error?: string;
    } & OfSource)
  /** An event that dedupe dropped. */
  | ({ readonly message: "drop"; readonly summary?: string; readonly event: Json; readonly because: string } & OfSource)
  | ({
      readonly message: "run";
      readonly status: Execution["status"];
      readonly emitted: number;
      readonly deduped: number;
      readonly duration_ms: number;
      readonly cpu_ms: number;
      readonly response: Json;
      /** What an action returned and exported, or the steps of a workflow. */
      readonly exports?: Json;
    } & OfSource)
  | ({
      readonly message: "changed";
      readonly file: string;
      /** The files that changed. */
      readonly files: readonly string[];
      /** Differences in its declaration, as text. */
      readonly differences: readonly string[];
      /** Its new endpoints. */
      readonly endpoints: readonly string[];
      readonly next_tick?: string;
      /** Slugs of apps whose props have no account; only new ones. */
      readonly without_account: readonly string[];
      readonly recovered: boolean;
      readonly duration_ms: number;
    } & OfSource)
  | {
      readonly message: "broken";
      readonly file: string;
      readonly error: { readonly code: string; readonly message: string; readonly errors?: readonly Problem[] };
      /** The error as text, with the line of the file. */
      readonly text: string;
      /** Whether the version before keeps running. */
      readonly kept: boolean;
    }
  | { readonly message: "keys" }
  | { readonly message: "note"; readonly text: string };

interface ErrorPayload {
  readonly error?: { readonly code?: string; readonly msg?: string; readonly stack?: string; readonly hint?: string };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const ofSource = ({ id, name }: Named): { source: string; name: string } => ({ source: id, name });

/** File names in stacks are relative to the root. */
const frameOf = (stack: string, root: string | undefined): string | undefined =>
  root === undefined ? undefined : findCodeFrame(stack, root);

/** The message for an event of any stream; undefined when another event has the same content. `root` is that of its file. */
export function eventMessage({ event, source }: LiveEvent, root: string | undefined): DevMessage | undefined {
  const payload = JSON.parse(event.payload) as Json;
  if (event.stream === "$logs") {
    const { k, msg = "", context } = payload as unknown as LogRecord;
    // Errors come on their own stream.
    if (k === "err") return undefined;
    const level = k.replace(/^console\./, "");
    return { message: "log", ...ofSource(source), level, text: msg, ...(context !== undefined && { context }) };
  }
  if (event.stream === "$errors") {
    const { code = "", msg = "unknown error", stack = "", hint } = (payload as ErrorPayload).error ?? {};
    const frame = frameOf(stack, root);
    const error = { name: code, msg, stack, ...(hint !== undefined && { hint }) };
    return { message: "error", ...ofSource(source), error, ...(frame !== undefined && { frame }) };
  }
  return {
    message: "event",
    ...ofSource(source),
    id: event.id,
    ...(event.name !== "" && { channel: event.name }),
    ...(event.summary !== undefined && { summary: event.summary }),
    event: payload,
  };
}

/** Messages for what an execution does not store: its requests, and the events that dedupe dropped. */
export const tracedMessages = ({ source, calls, dropped }: ObservedExecution): DevMessage[] => [
  ...calls.map(({ method, url, status, error }): DevMessage => ({
    message: "call",
    ...ofSource(source),
    method,
    url,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  })),
  ...dropped.map((emit): DevMessage => ({
    message: "drop",
    ...ofSource(source),
    ...(emit.summary !== undefined && { summary: emit.summary }),
    event: JSON.parse(emit.payload) as Json,
    because: explainDrop(emit),
  })),
];

/** The result of a run; its events, logs and errors have messages of their own. */
export const runMessage = (source: Named, execution: Execution): DevMessage => ({
  message: "run",
  ...ofSource(source),
  status: execution.status,
  emitted: execution.emitted.length,
  deduped: execution.deduped,
  duration_ms: execution.durationMs,
  cpu_ms: Math.round(execution.computeMs * 10) / 10,
  response: execution.response,
  ...(execution.exports !== undefined && { exports: execution.exports }),
});

/** The message for a request to an endpoint. */
export const answeredMessage = (source: Named, { request, response, durationMs }: AnsweredRequest): DevMessage => ({
  message: "request",
  ...ofSource(source),
  method: request.method,
  path: `${request.path}${request.search === "" ? "" : `?${request.search}`}`,
  status: response.status,
  duration_ms: durationMs,
});

/** What a reload changed. */
interface Reloaded {
  readonly before: DevEmitter | undefined;
  readonly paths: ReadonlySet<string>;
  readonly recovered: boolean;
}

/** The message for a file that was reloaded; without the duration. */
export const changedMessage = (
  file: DevFile,
  { emitter, differences, newEndpoints }: Extract<Loaded, { ok: true }>,
  { before, paths, recovered }: Reloaded,
): Omit<Extract<DevMessage, { message: "changed" }>, "duration_ms"> => ({
  message: "changed",
  file: file.shown,
  source: emitter.id,
  name: emitter.name,
  files: [...paths].map((path) => file.nameOf(path)),
  differences,
  endpoints: before ? newEndpoints : emitter.endpoints,
  without_account: emitter.appsWithoutAccount.filter((app) => before?.appsWithoutAccount.includes(app) !== true),
  recovered,
});

const goneText = "The file is gone. It is loaded again when it is back; under a new name it is a new source.";

/** The message for a file that does not load. */
export function brokenMessage(file: DevFile, error: unknown): DevMessage {
  const kept = file.emitter !== undefined;
  const text = existsSync(file.shown) ? failureText(withFailedLine(error, file.root)) : goneText;
  if (!XError.is(error)) {
    const detail = { code: "internal", message: messageOf(error) };
    return { message: "broken", file: file.shown, error: detail, text, kept };
  }
  const { code, message, details } = error;
  const detail = { code, message, ...(details.errors && { errors: details.errors }) };
  return { message: "broken", file: file.shown, error: detail, text, kept };
}
