import type { Json, LogRecord } from "@x/runtime";

import { findCodeFrame } from "./code-frame.ts";
import { paint } from "./colour.ts";
import type { Emitted, Shot, ShotRun } from "./one-shot.ts";
import { safeText } from "./terminal-text.ts";

const indent = (text: string): string => text.replaceAll(/^/gm, "  ");

function emittedLine({ name, summary, dedupeId, event }: Emitted): string {
  const label = summary ?? (dedupeId === undefined ? "" : `id ${dedupeId}`);
  const channel = name === "" ? "" : `[${name}]`;
  return safeText(["  event", channel, label, JSON.stringify(event)].filter((part) => part !== "").join("  "));
}

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
  return [
    `  response  ${JSON.stringify(status)}  ${JSON.stringify(headers)}`,
    `            ${typeof body === "string" ? body : JSON.stringify(body)}`,
  ].map(safeText);
}

function errorLines({ error }: ShotRun, root: string): string[] {
  if (!error) return [];
  const frames = error.stack.split("\n").filter((line) => /^\s+at /.test(line));
  const code = findCodeFrame(error.stack, root);
  const name = error.name === error.code || error.name === "" ? "" : `${error.name}: `;
  return [
    `  ${paint("red", `error[${error.code}]:`)} ${safeText(`${name}${error.message}`)}`,
    ...frames.map(safeText),
    ...(code === undefined ? [] : [safeText(indent(indent(code)))]),
  ];
}

function runLines(run: ShotRun, title: string, root: string): string[] {
  const { status, emitted, deduped, durationMs, computeMs, memoryBytes } = run;
  const counts = `${emitted.length} emitted${deduped > 0 ? `, ${deduped} dropped as duplicates` : ""}`;
  const cost = `${durationMs} ms, CPU ${computeMs.toFixed(1)} ms, memory ${shownBytes(memoryBytes)}`;
  return [
    `${paint("bold", title)}  ${paint(status === "ok" ? "green" : "red", status)}  ${counts}  (${cost})`,
    ...emitted.map(emittedLine),
    ...responseLines(run.response),
    ...printed(run.logs).map(logLine),
    ...errorLines(run, root),
  ];
}

/** Everything a shot did, to be read. */
export function shotText({ deploy, runs, db }: Shot, root: string): string {
  const hooks = [...deploy.emitted.map(emittedLine), ...printed(deploy.logs).map(logLine)];
  const stored = Object.entries(db).map(([key, value]) => safeText(`  ${key} = ${JSON.stringify(value)}`));
  return [
    ...(hooks.length > 0 ? [paint("bold", "deploy"), ...hooks] : []),
    ...runs.flatMap((run, index) => runLines(run, runs.length > 1 ? `run ${index + 1}` : "run", root)),
    ...(stored.length > 0 ? [paint("bold", "db"), ...stored] : []),
  ].join("\n");
}

const emittedJson = ({ dedupeId, ...rest }: Emitted): object => ({
  ...rest,
  ...(dedupeId !== undefined && { dedupe_id: dedupeId }),
});

function runJson({ executionId, durationMs, computeMs, memoryBytes, emitted, ...rest }: ShotRun): object {
  return {
    execution_id: executionId,
    duration_ms: durationMs,
    cpu_ms: Math.round(computeMs * 10) / 10,
    memory_bytes: memoryBytes,
    emitted: emitted.map(emittedJson),
    ...rest,
  };
}

/** Everything a shot did, as one JSON document. */
export function shotJson({ component, deploy, runs, db }: Shot, exitCode: number): object {
  return {
    component,
    deploy: { ...deploy, emitted: deploy.emitted.map(emittedJson) },
    runs: runs.map(runJson),
    db,
    exit_code: exitCode,
  };
}
