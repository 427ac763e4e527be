import type { Json } from "@x/runtime";

import { findCodeFrame } from "../terminal/code-frame.ts";
import { fitLine, paint } from "../terminal/terminal-text.ts";
import type { DroppedEvent, Emitted, SingleRunResult, RunResult } from "./single-run.ts";
import { packageRows } from "../terminal/package-rows.ts";
import { accountLine, callLine, logLine, withoutErrors, shownLine, shownText } from "../terminal/trace-lines.ts";

/** Flags that raise the limit of an error. */
const remedies: ReadonlyMap<string, string> = new Map([
  ["sandbox_timeout", "allow more time with --run-timeout, such as --run-timeout 10m"],
  ["sandbox_out_of_memory", "allow more memory with --memory, such as --memory 512mb"],
]);

const indent = (text: string): string => text.replaceAll(/^/gm, "  ");

function eventLine(kind: string, { name, summary, dedupeId, event }: Omit<Emitted, "id">, ...more: string[]): string {
  const label = summary ?? (dedupeId === undefined ? "" : `id ${dedupeId}`);
  const channel = name === "" ? "" : `[${name}]`;
  return shownLine(
    [`  ${kind}`, channel, label, JSON.stringify(event), ...more].filter((part) => part !== "").join("  "),
  );
}

const emittedLine = (event: Emitted): string => eventLine("event", event);
const droppedLine = (event: DroppedEvent): string => eventLine("drop ", event, `(${event.because})`);

const writtenLine = (what: string, [key, value]: readonly [string, Json]): string =>
  shownLine(`  ${what} ${key} ${value === null ? "deleted" : `= ${JSON.stringify(value)}`}`);

const writtenLines = ({ written, dataStores }: RunResult): string[] => [
  ...Object.entries(written).map((write) => writtenLine("db    ", write)),
  ...Object.entries(dataStores).flatMap(([name, values]) =>
    Object.entries(values).map((write) => writtenLine(`store  ${name} `, write)),
  ),
];

const shownBytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;

function responseLines(response: Json): string[] {
  if (typeof response !== "object" || response === null || Array.isArray(response)) return [];
  const { status, headers, body } = response;
  const hasHeaders = typeof headers === "object" && headers !== null && Object.keys(headers).length > 0;
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
  return [
    `  response  ${JSON.stringify(status)}${hasHeaders ? `  ${JSON.stringify(headers)}` : ""}`,
    ...(text === "" || text === '""' ? [] : [`            ${text}`]),
  ].map((line) => shownText(line, "            "));
}

interface RunTextOptions extends Pick<SingleRunResult, "withoutAccount"> {
  readonly root: string;
  readonly isWorkflow: boolean;
  /** False for a single run: its writes are in what is stored at the end. */
  readonly showsWrites: boolean;
}

function errorLines({ error }: RunResult, { root, withoutAccount }: RunTextOptions): string[] {
  if (!error) return [];
  const frames = error.stack.split("\n").filter((line) => /^(?:\s+at |Caused by: )/.test(line));
  const code = findCodeFrame(error.stack, root);
  const remedy = remedies.get(error.code);
  const name = error.name === error.code || error.name === "" ? "" : `${error.name}: `;
  return [
    `  ${paint("red", `error[${error.code}]:`)} ${shownText(`${name}${error.message}`, "    ")}`,
    ...frames.map((line) => shownLine(line.replace(/^Caused/, "  caused"))),
    ...(code === undefined ? [] : [shownText(indent(indent(code)), "")]),
    ...(error.hint === undefined ? [] : [shownText(`    hint: ${error.hint}`, "    ")]),
    ...(remedy === undefined ? [] : [`    ${remedy}`]),
    ...withoutAccount.map((prop) => accountLine(prop)),
  ];
}

const isRecord = (value: Json | undefined): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The return value and exports of an action, or of a step of a workflow. */
const exportedLines = (exported: { readonly [name: string]: Json }, step = ""): string[] =>
  Object.entries(exported).map(([name, value]) =>
    shownLine(
      `  ${step}${name === "$return_value" ? "returned" : `export  ${name} =`}  ${JSON.stringify(value)}`.replace(
        "=  ",
        "= ",
      ),
    ),
  );

function exportLines(exports: Json | undefined, isWorkflow: boolean): string[] {
  if (!isRecord(exports)) return [];
  if (!isWorkflow) return exportedLines(exports);
  return Object.entries(exports).flatMap(([step, exported]) =>
    isRecord(exported) ? exportedLines(exported, `step ${step}  `) : [],
  );
}

/** Longer lists are cut: a run with an endless loop emits thousands of events. */
const maxLines = 50;

function capped(lines: readonly string[], what: string): readonly string[] {
  const rest = lines.length - maxLines;
  return rest <= 0
    ? lines
    : [...lines.slice(0, maxLines), paint("dim", `  … and ${rest} more ${what}; --json has them`)];
}

function runLines(run: RunResult, title: string, options: RunTextOptions): string[] {
  const { status, emitted, deduped, durationMs, computeMs, memoryBytes } = run;
  const counts = `${emitted.length} emitted${deduped > 0 ? `, ${deduped} dropped as duplicates` : ""}`;
  const cost = `${durationMs} ms, CPU ${computeMs.toFixed(1)} ms, memory ${shownBytes(memoryBytes)}`;
  return [
    `${paint("bold", title)}  ${paint(status === "ok" ? "green" : "red", status)}  ${counts}  (${cost})`,
    ...capped(run.calls.map(callLine), "requests"),
    ...capped(emitted.map(emittedLine), "events"),
    ...capped(run.dropped.map(droppedLine), "dropped events"),
    ...responseLines(run.response),
    ...exportLines(run.exports, options.isWorkflow),
    ...capped(withoutErrors(run.logs).map(logLine), "log lines"),
    ...(options.showsWrites ? writtenLines(run) : []),
    ...errorLines(run, options),
  ];
}

const shownTick = (at: number): string => new Date(at).toISOString().replace(/:\d\d\.\d+Z$/, "Z");

/** Which hooks ran, in a line. */
function hooksLine({ names, ran }: SingleRunResult["hooks"]): string {
  if (!ran) return `none: --no-hooks leaves out ${names.join(", ")}`;
  const before = names.filter((name) => name !== "deactivate");
  const after = names.length > before.length ? ["deactivate after it"] : [];
  return [...(before.length > 0 ? [`${before.join(", ")} before the run`] : []), ...after].join("; ");
}

/** What is stored at the end. */
function storedLines({ db, dataStores }: Pick<SingleRunResult, "db" | "dataStores">): string[] {
  const stores = Object.entries(dataStores).map(([name, values]) => [`data store ${name}`, values] as const);
  return [["db", db] as const, ...stores].flatMap(([what, values]) => {
    const lines = Object.entries(values).map(([key, value]) => shownLine(`  ${key} = ${JSON.stringify(value)}`));
    return lines.length > 0 ? [paint("bold", what), ...capped(lines, "keys")] : [];
  });
}

/** A result as text. */
export function resultText(result: SingleRunResult, root: string): string {
  const { component, deploy, deactivate, hooks: of, runs, withoutAccount, nextTicks } = result;
  const last = [
    ...capped(deactivate?.calls.map(callLine) ?? [], "requests"),
    ...capped(withoutErrors(deactivate?.logs ?? []).map(logLine), "log lines"),
    ...(deactivate?.error
      ? [`  ${paint("red", `error[${deactivate.error.code}]:`)} ${shownText(deactivate.error.message, "    ")}`]
      : []),
  ];
  const hooks = [
    ...capped(deploy.calls.map(callLine), "requests"),
    ...capped(deploy.emitted.map(emittedLine), "events"),
    ...capped(withoutErrors(deploy.logs).map(logLine), "log lines"),
    ...(deploy.dropsEvents ? [paint("dim", "  events of the deploy hook are dropped; --deploy keeps them")] : []),
  ];
  const packages = packageRows(component.packages).map(([name, text]) => shownLine(`  ${name} ${text}`));
  const several = runs.length > 1;
  return [
    ...(of.names.length > 0 ? [`${paint("bold", "hooks")}  ${hooksLine(of)}`] : []),
    ...(hooks.length > 0 ? [paint("bold", "deploy"), ...hooks] : []),
    ...runs.flatMap((run, index) =>
      runLines(run, several ? `run ${index + 1}` : "run", {
        root,
        withoutAccount,
        isWorkflow: component.version === "",
        showsWrites: several,
      }),
    ),
    ...(last.length > 0 ? [paint("bold", "deactivate"), ...last] : []),
    ...storedLines(result),
    ...(packages.length > 0 ? [paint("bold", "packages"), ...packages] : []),
    ...(nextTicks.length > 0
      ? [`${paint("bold", "timer")}  a service ticks ${nextTicks.map(shownTick).join(", ")}`]
      : []),
  ]
    .map(fitLine)
    .join("\n");
}

const eventJson = ({ dedupeId, ...rest }: Omit<Emitted, "id">): object => ({
  ...rest,
  ...(dedupeId !== undefined && { dedupe_id: dedupeId }),
});

function runJson(run: RunResult): object {
  const { executionId, durationMs, computeMs, memoryBytes, emitted, dropped, dataStores, ...rest } = run;
  return {
    execution_id: executionId,
    duration_ms: durationMs,
    cpu_ms: Math.round(computeMs * 10) / 10,
    memory_bytes: memoryBytes,
    emitted: emitted.map(eventJson),
    dropped: dropped.map(eventJson),
    ...rest,
    ...(Object.keys(dataStores).length > 0 && { data_stores: dataStores }),
  };
}

/** A result as one JSON document. */
export function resultJson(
  { component, deploy, deactivate, hooks, runs, nextTicks, db, dataStores }: SingleRunResult,
  exitCode: number,
): object {
  return {
    component,
    hooks: hooks.ran ? hooks.names : [],
    deploy: { calls: deploy.calls, logs: deploy.logs, emitted: deploy.emitted.map(eventJson) },
    runs: runs.map(runJson),
    ...(deactivate && { deactivate }),
    ...(nextTicks.length > 0 && { next_ticks: nextTicks.map((at) => new Date(at).toISOString()) }),
    db,
    ...(Object.keys(dataStores).length > 0 && { data_stores: dataStores }),
    exit_code: exitCode,
  };
}
