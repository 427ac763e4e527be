import type { ErrorRecord, ErrorSummary, EventSummary, LogRecord, LogSummary } from "@x/client";

import { oneLine, paint } from "../terminal/terminal-text.ts";
import { hanging, inLine } from "../terminal/visible.ts";

/** An event of any stream. */
export type ShownEvent = EventSummary | ErrorSummary | LogSummary;

const maxPayloadLength = 200;
const maxMessageLength = 2_000;

/** Local time in a sortable format. */
const timeOf = (ms: number): string => new Date(ms).toLocaleString("sv-SE");

const framesOf = (stack = ""): string[] =>
  stack.split("\n").flatMap((line) => (/^\s+at /.test(line) ? [inLine(line)] : []));

const hintLine = (hint: string | undefined): string[] =>
  hint === undefined ? [] : [hanging(`    hint: ${hint}`, "    ")];

function errorText({ error = {} }: { readonly error?: Partial<ErrorRecord["error"]> }): string {
  const { code = "Error", cellId = "", msg = "", stack, hint } = error;
  const head = `! ${cellId.replace(/^c_/, "")}  ${code}: ${oneLine(msg, maxMessageLength)}`;
  return [paint("red", inLine(head)), ...framesOf(stack), ...hintLine(hint)].join("\n");
}

function logText({ k, msg, err, context }: LogRecord): string {
  const level = k === "err" ? "error" : k.replace(/^console\./, "");
  const text = msg ?? (err ? `${err.name}: ${err.message}` : "");
  const prefix = context === undefined ? "" : `[${context}]  `;
  return [
    hanging(`${level.padEnd(5)}  ${prefix}${text}`, "    "),
    ...framesOf(err?.stack),
    ...hintLine(err?.hint),
  ].join("\n");
}

function emitText({ event, metadata: { name, summary } }: ShownEvent): string {
  const channel = name === "" ? [] : [paint("cyan", `[${oneLine(name, 40)}]`)];
  const label = summary === undefined ? [] : [oneLine(summary, maxPayloadLength)];
  return [...channel, ...label, paint("dim", oneLine(JSON.stringify(event ?? null), maxPayloadLength))].join("  ");
}

/** An event as text: one line, and the stack of an error. `name` is that of its source, where there are several. */
export function eventText(shown: ShownEvent, stream: string | undefined, name?: string): string {
  const of = name === undefined ? "" : `  ${paint("cyan", oneLine(name, 40))}`;
  const time = `${paint("dim", timeOf(shown.indexed_at_ms))}${of}`;
  if (stream === "$errors") return `${time}  ${errorText(shown.event as ErrorRecord)}`;
  return `${time}  ${stream === "$logs" ? logText(shown.event as LogRecord) : emitText(shown)}`;
}
