import type { Json, LogRecord, ObservedCall } from "@x/runtime";

import { findCodeFrame } from "../terminal/code-frame.ts";
import { paint } from "../terminal/colour.ts";
import type { DroppedEvent, Emitted, Shot, ShotRun } from "./one-shot.ts";
import { packageRows } from "../terminal/package-rows.ts";
import { withNetworkHint } from "./network-hint.ts";
import { safeText as printable } from "../terminal/terminal-text.ts";

/** More of one thing floods a terminal. */
const mostShown = 4_000;

/** Text that is safe to print, and not endless. */
function safeText(text: string): string {
  if (text.length <= mostShown) return printable(text);
  const rest = text.length - mostShown;
  return `${printable(text.slice(0, mostShown)).replace(/[\ud800-\udbff]$/, "")}… (${rest} more characters; --json has them)`;
}

/** What lets a run do more before it is stopped. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["sandbox_timeout", "--run-timeout gives it longer, such as --run-timeout 10m"],
  ["sandbox_out_of_memory", "--memory gives it more, such as --memory 512mb"],
]);

const indent = (text: string): string => text.replaceAll(/^/gm, "  ");

function eventLine(kind: string, { name, summary, dedupeId, event }: Omit<Emitted, "id">, ...more: string[]): string {
  const label = summary ?? (dedupeId === undefined ? "" : `id ${dedupeId}`);
  const channel = name === "" ? "" : `[${name}]`;
  return safeText(
    [`  ${kind}`, channel, label, JSON.stringify(event), ...more].filter((part) => part !== "").join("  "),
  );
}

const emittedLine = (event: Emitted): string => eventLine("event", event);
const droppedLine = (event: DroppedEvent): string => eventLine("drop ", event, `(${event.because})`);

/** Why a request had no answer. Its URL is told already. */
const whyNot = (error: string): string => withNetworkHint(error.replace(/^Request to \S+ failed/, "failed"));

const callLine = ({ method, url, status, error }: ObservedCall): string =>
  safeText(`  http   ${method} ${url} -> ${status ?? (error === undefined ? "not awaited" : whyNot(error))}`);

const writtenLine = ([key, value]: readonly [string, Json]): string =>
  safeText(`  db     ${key} ${value === null ? "deleted" : `= ${JSON.stringify(value)}`}`);

function logLine({ k, msg, context }: LogRecord): string {
  const level = k.replace(/^console\./, "");
  return safeText(`  ${level.padEnd(5)}${context === undefined ? "" : `  [${context}]`}  ${msg ?? ""}`);
}

/** Errors have their own place. */
const printed = (logs: readonly LogRecord[]): LogRecord[] => logs.filter(({ k }) => k !== "err");

const shownBytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

function responseLines(response: Json): string[] {
  if (typeof response !== "object" || response === null || Array.isArray(response)) return [];
  const { status, headers, body } = response;
  const hasHeaders = typeof headers === "object" && headers !== null && Object.keys(headers).length > 0;
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
  return [
    `  response  ${JSON.stringify(status)}${hasHeaders ? `  ${JSON.stringify(headers)}` : ""}`,
    ...(text === "" || text === '""' ? [] : [`            ${text}`]),
  ].map(safeText);
}

interface RunTelling extends Pick<Shot, "withoutAccount"> {
  readonly root: string;
  /** What one run alone wrote is what the db holds at the end. */
  readonly tellsWrites: boolean;
}

function errorLines({ error }: ShotRun, { root, withoutAccount }: RunTelling): string[] {
  if (!error) return [];
  const frames = error.stack.split("\n").filter((line) => /^(?:\s+at |Caused by: )/.test(line));
  const code = findCodeFrame(error.stack, root);
  const remedy = remedies.get(error.code);
  const name = error.name === error.code || error.name === "" ? "" : `${error.name}: `;
  return [
    `  ${paint("red", `error[${error.code}]:`)} ${safeText(`${name}${error.message}`)}`,
    ...frames.map((line) => safeText(line.replace(/^Caused/, "  caused"))),
    ...(code === undefined ? [] : [safeText(indent(indent(code)))]),
    ...(remedy === undefined ? [] : [`    ${remedy}`]),
    ...withoutAccount.map((prop) =>
      safeText(`    Prop "${prop}" has no account, so its $auth is empty: --accounts FILE`),
    ),
  ];
}

function runLines(run: ShotRun, title: string, telling: RunTelling): string[] {
  const { status, emitted, deduped, durationMs, computeMs, memoryBytes } = run;
  const counts = `${emitted.length} emitted${deduped > 0 ? `, ${deduped} dropped as duplicates` : ""}`;
  const cost = `${durationMs} ms, CPU ${computeMs.toFixed(1)} ms, memory ${shownBytes(memoryBytes)}`;
  return [
    `${paint("bold", title)}  ${paint(status === "ok" ? "green" : "red", status)}  ${counts}  (${cost})`,
    ...run.calls.map(callLine),
    ...emitted.map(emittedLine),
    ...run.dropped.map(droppedLine),
    ...responseLines(run.response),
    ...printed(run.logs).map(logLine),
    ...(telling.tellsWrites ? Object.entries(run.written).map(writtenLine) : []),
    ...errorLines(run, telling),
  ];
}

/** Everything a shot did, to be read. */
export function shotText({ component, deploy, runs, db, withoutAccount }: Shot, root: string): string {
  const hooks = [
    ...deploy.calls.map(callLine),
    ...deploy.emitted.map(emittedLine),
    ...printed(deploy.logs).map(logLine),
  ];
  const stored = Object.entries(db).map(([key, value]) => safeText(`  ${key} = ${JSON.stringify(value)}`));
  const packages = packageRows(component.packages).map(([name, text]) => safeText(`  ${name} ${text}`));
  const several = runs.length > 1;
  return [
    ...(hooks.length > 0 ? [paint("bold", "deploy"), ...hooks] : []),
    ...runs.flatMap((run, index) =>
      runLines(run, several ? `run ${index + 1}` : "run", { root, withoutAccount, tellsWrites: several }),
    ),
    ...(stored.length > 0 ? [paint("bold", "db"), ...stored] : []),
    ...(packages.length > 0 ? [paint("bold", "packages"), ...packages] : []),
  ].join("\n");
}

const eventJson = ({ dedupeId, ...rest }: Omit<Emitted, "id">): object => ({
  ...rest,
  ...(dedupeId !== undefined && { dedupe_id: dedupeId }),
});

function runJson({ executionId, durationMs, computeMs, memoryBytes, emitted, dropped, ...rest }: ShotRun): object {
  return {
    execution_id: executionId,
    duration_ms: durationMs,
    cpu_ms: Math.round(computeMs * 10) / 10,
    memory_bytes: memoryBytes,
    emitted: emitted.map(eventJson),
    dropped: dropped.map(eventJson),
    ...rest,
  };
}

/** Everything a shot did, as one JSON document. */
export function shotJson({ component, deploy, runs, db }: Shot, exitCode: number): object {
  return {
    component,
    deploy: { ...deploy, emitted: deploy.emitted.map(eventJson) },
    runs: runs.map(runJson),
    db,
    exit_code: exitCode,
  };
}
