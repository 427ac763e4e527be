import { existsSync } from "node:fs";

import {
  type Execution,
  explainDrop,
  type Json,
  type LiveEvent,
  type LogRecord,
  type ObservedExecution,
  XError,
} from "@x/runtime";

import { findCodeFrame, withFailedLine } from "../terminal/code-frame.ts";
import { failureText } from "../terminal/failure.ts";
import type { DevFile } from "./dev-file.ts";
import type { Answered } from "./last-arrival.ts";
import type { DevMessage } from "./message.ts";

interface ErrorPayload {
  readonly error?: { readonly code?: string; readonly msg?: string; readonly stack?: string; readonly hint?: string };
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const ofSource = ({ id, name }: Named): { source: string; name: string } => ({ source: id, name });

/** Names in stacks are relative to the root. */
const frameOf = (stack: string, root: string | undefined): string | undefined =>
  root === undefined ? undefined : findCodeFrame(stack, root);

/** An event of any stream; undefined when another one tells the same. `root` is that of its file, when it has one. */
export function eventMessage({ event, source }: LiveEvent, root: string | undefined): DevMessage | undefined {
  const payload = JSON.parse(event.payload) as Json;
  if (event.stream === "$logs") {
    const { k, msg = "", context } = payload as unknown as LogRecord;
    // Errors have their own stream.
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

/** What only who watches a call sees: its requests, and what dedupe dropped. */
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

/** What one run did; its events, logs and errors are told by themselves. */
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

/** A request to an endpoint that was answered. */
export const answeredMessage = (source: Named, { request, response, durationMs }: Answered): DevMessage => ({
  message: "request",
  ...ofSource(source),
  method: request.method,
  path: `${request.path}${request.search === "" ? "" : `?${request.search}`}`,
  status: response.status,
  duration_ms: durationMs,
});

const goneText =
  "There is no such file any more. When it is back, it is taken up; with a new name it is another source.";

/** Why a file does not work, with the author's line. */
export function brokenMessage(file: DevFile, error: unknown): DevMessage {
  const kept = file.emitter !== undefined;
  const text = existsSync(file.shown) ? failureText(withFailedLine(error, file.root)) : goneText;
  if (!XError.is(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return { message: "broken", file: file.shown, error: { code: "internal", message }, text, kept };
  }
  const { code, message, details } = error;
  const told = { code, message, ...(details.errors && { errors: details.errors }) };
  return { message: "broken", file: file.shown, error: told, text, kept };
}
