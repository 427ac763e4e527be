import type { Json } from "@x/runtime";

import { fitWidth, oneLine, paint, someNames } from "../terminal/terminal-text.ts";
import { eventText, lineStart } from "../terminal/event-line.ts";
import { withNetworkHint } from "../terminal/trace-lines.ts";
import { inLine, jsonText, safeText } from "../terminal/visible.ts";
import { keys } from "./keys.ts";
import type { DevMessage, FileState } from "./message.ts";

type Of<Kind extends DevMessage["message"]> = Extract<DevMessage, { message: Kind }>;

const longestText = 300;
const longestChannel = 40;
const longestResponse = 200;
const indent = (text: string): string => safeText(text).replaceAll(/^/gm, "    ");

/** A line that sends something to an endpoint. */
const curlLine = (endpoint: string): string =>
  `curl -H 'content-type: application/json' -d '{"message":"hello"}' ${endpoint}`;

function fileLines({ file, source, name, change, endpoints, next_tick, without_account = [] }: FileState): string[] {
  if (source === undefined) return [`  ${inLine(file)}  ${paint("red", "not deployed yet")}`];
  return [
    `  ${inLine(file)}  ${paint("cyan", inLine(name ?? ""))}  ${source}, ${change ?? "as before"}`,
    ...endpoints.map(endpointLine),
    ...tickLines(next_tick),
    ...without_account.map(withoutAccountLine),
  ];
}

const tickLines = (tick: string | undefined): string[] =>
  tick === undefined ? [] : [`    next tick ${new Date(tick).toLocaleString("sv-SE")}; t fires it now`];

const withoutAccountLine = (app: string): string =>
  inLine(`    $auth of ${app} is empty: --accounts FILE, or x accounts add ${app}`);

const endpointLine = (endpoint: string): string => `    ${curlLine(endpoint)}`;

const keyLine = (): string => `  ${keys.map(({ key, does }) => `${paint("bold", key)} ${does}`).join("   ")}`;

function servingLines(told: Of<"serving">, hasKeys: boolean): string[] {
  return [
    "",
    `  Base URL  ${told.base_url}`,
    `  API key   ${told.api_key}`,
    `  Data      ${told.data}`,
    "",
    ...told.files.flatMap(fileLines),
    ...(told.resting.length > 0 ? ["", inLine(`  Resting, not given this time: ${told.resting.join(", ")}`)] : []),
    "",
    ...(hasKeys ? [keyLine(), ""] : []),
  ];
}

/** The status and the body; what else there is, `--json` tells. */
function answerText(response: Json): string {
  if (typeof response !== "object" || response === null || Array.isArray(response)) return JSON.stringify(response);
  const { status = null, body = "" } = response;
  return `${JSON.stringify(status)}  ${typeof body === "string" ? body : JSON.stringify(body)}`.trimEnd();
}

function runText({ status, emitted, deduped, duration_ms, cpu_ms, response }: Of<"run">): string {
  const dropped = deduped > 0 ? `, ${deduped} dropped as duplicates` : "";
  const answer = response === null ? "" : `  answered ${oneLine(answerText(response), longestResponse)}`;
  const cost = paint("dim", `(${duration_ms} ms, CPU ${cpu_ms} ms)`);
  return `${paint(status === "ok" ? "green" : "red", `run ${status}`)}  ${emitted} emitted${dropped}  ${cost}${answer}`;
}

function changedLines(told: Of<"changed">): string[] {
  const { file, files, differences, endpoints, without_account, recovered, duration_ms } = told;
  const others = files.filter((each) => each !== file);
  const which = others.length > 0 ? `  (${someNames(others)})` : "";
  const what = recovered ? "works again" : "updated";
  return [
    `${paint("green", inLine(`${file} ${what}`))}${inLine(which)}  ${paint("dim", `${duration_ms} ms`)}`,
    ...differences.map((difference) => inLine(`    ${difference}`)),
    ...endpoints.map(endpointLine),
    ...tickLines(told.next_tick),
    ...without_account.map(withoutAccountLine),
  ];
}

const timeless = (lines: readonly string[], now: number): string[] =>
  lines.map((line, index) => (index === 0 ? `${lineStart(now)}${line}` : line));

function linesOf(told: DevMessage, now: number, hasKeys: boolean): string[] {
  switch (told.message) {
    case "serving":
      return servingLines(told, hasKeys);
    case "event": {
      const channel = told.channel === undefined ? "" : `[${oneLine(told.channel, longestChannel)}] `;
      return [fitWidth(lineStart(now, told.name) + channel + eventText(told.summary, JSON.stringify(told.event)))];
    }
    case "log": {
      const context = told.context === undefined ? "" : `[${inLine(told.context)}] `;
      return [`${lineStart(now, told.name)}${told.level}  ${context}${oneLine(told.text, longestText)}`];
    }
    case "error": {
      const { name, msg, stack, hint } = told.error;
      const headline = oneLine(name === "" ? msg : `${name}: ${msg}`, longestText);
      const start = lineStart(now, told.name) + paint("red", `! ${headline}`);
      const places = stack.split("\n").filter((line) => /^\s+at /.test(line));
      const causes = stack.split("\n").filter((line) => line.startsWith("Caused by: "));
      const hints = hint === undefined ? [] : [`hint: ${hint}`];
      const lines = [...places.map((line) => line.trim()), ...causes.map(withNetworkHint), ...hints];
      return [start, ...[...lines, ...(told.frame === undefined ? [] : [told.frame])].map(indent)];
    }
    case "call": {
      const answer = told.status ?? (told.error === undefined ? "not awaited" : withNetworkHint(told.error));
      return [
        lineStart(now, told.name) +
          paint("dim", `http  ${oneLine(`${told.method} ${told.url} -> ${answer}`, longestText)}`),
      ];
    }
    case "drop": {
      const event = `${lineStart(now, told.name)}drop  ${eventText(told.summary, JSON.stringify(told.event))}`;
      const because = paint("dim", `(${oneLine(told.because, longestText)})`);
      const line = `${event}  ${because}`;
      // Why is not cut.
      return fitWidth(line) === line ? [line] : [fitWidth(event), `    ${because}`];
    }
    case "request": {
      const asked = oneLine(`${told.method} ${told.path}`, longestText);
      return [`${lineStart(now, told.name)}${asked}  ${told.status}  ${paint("dim", `${told.duration_ms} ms`)}`];
    }
    case "run": {
      const left = told.exports === undefined ? [] : [oneLine(`left  ${JSON.stringify(told.exports)}`, longestText)];
      return [lineStart(now, told.name) + runText(told), ...left.map(indent)].map(fitWidth);
    }
    case "changed":
      return timeless(changedLines(told), now);
    case "broken": {
      const state = told.kept ? "the version before keeps running" : "it is deployed when it works";
      return [...timeless([`${paint("red", inLine(`${told.file} does not work`))}; ${state}`], now), indent(told.text)];
    }
    case "keys":
      return [keyLine()];
    case "note":
      return [`${lineStart(now)}${inLine(told.text)}`];
  }
}

/** A message to be read; `now` is when it is told. */
export const messageText = (told: DevMessage, now: number, hasKeys: boolean): string =>
  linesOf(told, now, hasKeys).join("\n");

/** The same for programs: one JSON object. */
export const messageJson = (told: DevMessage, now: number): string =>
  jsonText({ ...told, time: new Date(now).toISOString() });
