import type { ExecutionDetail, Json, LogRecord } from "@x/client";
import { explainDrop } from "@x/model";

import { oneLine, paint } from "../terminal/terminal-text.ts";
import { hanging, inLine } from "../terminal/visible.ts";
import { durationText, statusText, timeOf } from "./shown-run.ts";

type Emit = ExecutionDetail["emitted"][number];
type Drop = ExecutionDetail["dropped"][number];

const longest = 200;
const longestEvent = 2_000;
const megabyte = 1024 * 1024;

const valueText = (value: Json | undefined): string =>
  value === undefined ? "(absent)" : oneLine(JSON.stringify(value), longest);

const sizeText = (bytes: number): string => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`);

function payloadText({ payload, payload_bytes: bytes, truncated }: Emit | Drop): string {
  return truncated ? `(${sizeText(bytes)}, not stored)` : oneLine(JSON.stringify(payload), longest);
}

const labelOf = ({ name, summary }: Emit | Drop): string =>
  [...(name === "" ? [] : [`[${oneLine(name, 40)}]`]), ...(summary === undefined ? [] : [oneLine(summary, longest)])]
    .map((part) => `${part}  `)
    .join("");

function listenerText({ id, delivery_id: delivery, execution_id: run, skipped }: Emit["listeners"][number]): string {
  if (skipped !== undefined) return `not to ${id}: ${skipped.replaceAll("_", " ")}`;
  return `to ${id}${delivery === undefined ? "" : `, delivery ${delivery}`}${run === undefined ? "" : `, run ${run}`}`;
}

const emitLines = (emit: Emit): string[] => [
  `  + ${emit.id}  ${labelOf(emit)}${paint("dim", payloadText(emit))}`,
  ...emit.listeners.map((listener) => `      ${inLine(listenerText(listener))}`),
];

/** Why an event was not stored. */
function reasonText({ reason, dedupe_id: id, remembered }: Drop): string {
  if (reason === "rolled_back") return "the run failed, and its emits and db writes were dropped";
  const drop = {
    reason,
    ...(id !== undefined && { id }),
    ...(remembered !== undefined && { remembered }),
  };
  return explainDrop({ payload: "null", ...drop });
}

const dropLines = (drop: Drop): string[] => [
  `  - ${labelOf(drop)}${paint("dim", payloadText(drop))}`,
  `      ${inLine(reasonText(drop))}`,
];

function callLine(call: ExecutionDetail["calls"][number]): string {
  const outcome = call.status === null ? (call.error ?? "no response yet") : String(call.status);
  const duration = call.duration_ms === null ? "" : `  ${durationText(call.duration_ms)}`;
  const sizes = `${sizeText(call.request_bytes)} sent${call.response_bytes === null ? "" : `, ${sizeText(call.response_bytes)} received`}`;
  const failed = call.status === null || call.status >= 400;
  const at = `+${durationText(call.started_ms)}`.padStart(9);
  const shown = paint(failed ? "red" : "green", oneLine(outcome, longest));
  return `  ${at}  ${oneLine(call.method, 20)} ${oneLine(call.url, longest)}  ${shown}${duration}  ${paint("dim", sizes)}`;
}

function logLines({ k, msg, err }: LogRecord): string[] {
  const level = k === "err" ? "error" : k.replace(/^console\./, "");
  const text = msg ?? (err ? `${err.name}: ${err.message}` : "");
  return hanging(`  ${level.padEnd(5)}  ${text}`, "         ").split("\n");
}

function changeLine({ key, before, after, truncated }: ExecutionDetail["db"][number], of = ""): string {
  const name = `${of}${oneLine(key, 80)}`;
  return truncated ? `  ${name}: changed (too large)` : `  ${name}: ${valueText(before)} -> ${valueText(after)}`;
}

/** A titled part of the account; nothing without lines. */
const part = (title: string, lines: readonly string[], omitted = 0): string[] =>
  lines.length === 0 ? [] : ["", paint("bold", title), ...lines, ...(omitted > 0 ? [`  … and ${omitted} more`] : [])];

function errorLines(error: ExecutionDetail["error"]): string[] {
  if (!error) return [];
  const { name, message, stack, hint, frame } = error;
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return [
    ...hanging(`${name}: ${message}`, "    ")
      .split("\n")
      .map((line) => `  ${paint("red", line)}`),
    ...(frame === undefined ? [] : frame.split("\n").map((line) => `  ${inLine(line)}`)),
    ...frames.map((line) => `  ${inLine(line)}`),
    ...(hint === undefined ? [] : [`  hint: ${inLine(hint)}`]),
  ];
}

const appEventText = ({ app, names, event_id: id }: NonNullable<ExecutionDetail["app_event"]>): string =>
  `event${id === null ? "" : ` ${id}`} of ${app}: ${names.join(", ")}`;

function headLines(run: ExecutionDetail, name: string): string[] {
  const { queued_ms: queued, sandbox_ms: sandbox, commit_ms: commit } = run.phases;
  const { cause, app_event: app } = run;
  const what = run.entry === "run" ? `run by ${run.trigger}` : `hook ${run.entry}`;
  const phases = [
    `queued ${durationText(queued)}`,
    `ran ${durationText(sandbox)} (${durationText(run.compute_ms)} of computing)`,
    ...(commit === null ? [] : [`committed in ${durationText(commit)}`]),
  ];
  const event = cause?.event_id == null ? "a request" : `event ${cause.event_id}`;
  return [
    `${run.execution_id}  ${inLine(name)}  ${what}  ${statusText(run.status)}${run.undone ? "  undone" : ""}`,
    `  ${timeOf(run.started_at)}  ${phases.join(", ")}, ${(run.memory_bytes / megabyte).toFixed(1)} MiB`,
    ...(app ? [inLine(`  ${appEventText(app)}`)] : []),
    ...(run.replay_of === null ? [] : [`  repeats ${run.replay_of}`]),
    ...(cause
      ? [
          `  caused by ${event} of ${cause.source_id}${cause.execution_id === undefined ? "" : `, run ${cause.execution_id}`}`,
        ]
      : []),
  ];
}

function eventLines({ entry, event, event_bytes: bytes, event_truncated: isLeftOut }: ExecutionDetail): string[] {
  if (entry !== "run") return [];
  return [isLeftOut ? `  (${sizeText(bytes)}, not stored)` : `  ${oneLine(JSON.stringify(event), longestEvent)}`];
}

function requestLines({ request }: ExecutionDetail): string[] {
  if (!request) return [];
  const { method, target, http_version: version, headers } = request;
  const lines = [
    `${method} ${target} HTTP/${version ?? "1.1"}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return lines.map((line) => `  ${oneLine(line, longest)}`);
}

/** An execution as text: request, trigger, phases, calls, logs, events with their listeners, db changes, response, error. */
export function accountLines(run: ExecutionDetail, name: string): string[] {
  const omitted = (list: "steps" | "calls" | "logs" | "emitted" | "dropped" | "db" | "data_stores"): number =>
    run[`${list}_omitted`] ?? 0;
  const { response } = run;
  return [
    ...headLines(run, name),
    ...part("Received", requestLines(run)),
    ...part("Event", eventLines(run)),
    ...part(
      "Steps",
      run.steps.map((step) => `  ${`+${durationText(step.started_ms)}`.padStart(9)}  ${oneLine(step.name, 80)}`),
      omitted("steps"),
    ),
    ...part("Requests", run.calls.map(callLine), omitted("calls")),
    ...part("Logs", run.logs.flatMap(logLines), omitted("logs")),
    ...part("Emitted", run.emitted.flatMap(emitLines), omitted("emitted")),
    ...part("Dropped", run.dropped.flatMap(dropLines), omitted("dropped")),
    ...part(
      "Db",
      run.db.map((change) => changeLine(change)),
      omitted("db"),
    ),
    ...part(
      "Data stores",
      run.data_stores.map((change) => changeLine(change, `${oneLine(change.name, 80)}  `)),
      omitted("data_stores"),
    ),
    ...part(
      "Response",
      response
        ? [`  ${response.status}  ${oneLine(response.body ?? `(${sizeText(response.body_bytes)})`, longest)}`]
        : [],
    ),
    ...part("Error", errorLines(run.error)),
  ];
}
