import type { Json } from "@x/runtime";

import { fitWidth, oneLine, paint, someNames } from "../terminal/terminal-text.ts";
import { eventText, lineStart } from "../terminal/event-line.ts";
import { withNetworkHint } from "../terminal/trace-lines.ts";
import { inLine, jsonText, safeText } from "../terminal/visible.ts";
import { keys } from "./keys.ts";
import type { AppHookState, DevMessage, FileState } from "./message.ts";

type Of<Kind extends DevMessage["message"]> = Extract<DevMessage, { message: Kind }>;

const maxTextLength = 300;
const maxChannelLength = 40;
const maxResponseLength = 200;
const indent = (text: string): string => safeText(text).replaceAll(/^/gm, "    ");

/** A command that sends a request to an endpoint. */
const curlLine = (endpoint: string): string =>
  `curl -H 'content-type: application/json' -d '{"message":"hello"}' ${endpoint}`;

function fileLines(state: FileState, hasKeys: boolean): string[] {
  const { file, source, name, change, endpoints, next_tick, without_account = [], app_events = [] } = state;
  if (source === undefined) return [`  ${inLine(file)}  ${paint("red", "not deployed yet")}`];
  return [
    `  ${inLine(file)}  ${paint("cyan", inLine(name ?? ""))}  ${source}, ${change ?? "as before"}`,
    ...endpoints.map(endpointLine),
    ...tickLines(next_tick, hasKeys),
    ...app_events.map(appLine),
    ...without_account.map(withoutAccountLine),
  ];
}

const appLine = ({ app, event_names: names, endpoint_url: url }: AppHookState): string => {
  const events = names.length === 0 ? `all events of ${app}` : `${someNames(names)} of ${app}`;
  return inLine(
    `    ${events}: ${url ?? `no endpoint yet, x apps endpoint ${app} makes one; x apps event ${app} sends one`}`,
  );
};

const tickLines = (tick: string | undefined, hasKeys: boolean): string[] =>
  tick === undefined
    ? []
    : [`    next tick ${new Date(tick).toLocaleString("sv-SE")}${hasKeys ? "; t fires it now" : ""}`];

const withoutAccountLine = (app: string): string =>
  inLine(`    $auth of ${app} is empty: --accounts FILE, or x accounts add ${app}`);

const endpointLine = (endpoint: string): string => `    ${curlLine(endpoint)}`;

const keyLine = (): string => `  ${keys.map(({ key, does }) => `${paint("bold", key)} ${does}`).join("   ")}`;

function servingLines(message: Of<"serving">, hasKeys: boolean): string[] {
  return [
    "",
    ...(message.inspector_url === undefined ? [] : [`  Inspector ${message.inspector_url}`]),
    `  Base URL  ${message.base_url}`,
    ...(message.public_url === undefined ? [] : [`  Public    ${message.public_url}`]),
    `  API key   ${message.api_key}`,
    `  Data      ${message.data}`,
    "",
    ...message.files.flatMap((each) => fileLines(each, hasKeys)),
    ...(message.resting.length > 0
      ? ["", inLine(`  Inactive, because their files are not on the command line: ${message.resting.join(", ")}`)]
      : []),
    "",
    ...(hasKeys ? [keyLine(), ""] : []),
  ];
}

/** Status and body of a response; `--json` prints the headers too. */
function responseText(response: Json): string {
  if (typeof response !== "object" || response === null || Array.isArray(response)) return JSON.stringify(response);
  const { status = null, body = "" } = response;
  return `${JSON.stringify(status)}  ${typeof body === "string" ? body : JSON.stringify(body)}`.trimEnd();
}

function runText({ status, emitted, deduped, duration_ms, cpu_ms, response }: Of<"run">): string {
  const dropped = deduped > 0 ? `, ${deduped} dropped as duplicates` : "";
  const answer = response === null ? "" : `  answered ${oneLine(responseText(response), maxResponseLength)}`;
  const cost = paint("dim", `(${duration_ms} ms, CPU ${cpu_ms} ms)`);
  return `${paint(status === "ok" ? "green" : "red", `run ${status}`)}  ${emitted} emitted${dropped}  ${cost}${answer}`;
}

function changedLines(message: Of<"changed">, hasKeys: boolean): string[] {
  const { file, files, differences, endpoints, without_account, recovered, duration_ms } = message;
  const others = files.filter((each) => each !== file);
  const which = others.length > 0 ? `  (${someNames(others)})` : "";
  const what = recovered ? "works again" : "updated";
  return [
    `${paint("green", inLine(`${file} ${what}`))}${inLine(which)}  ${paint("dim", `${duration_ms} ms`)}`,
    ...differences.map((difference) => inLine(`    ${difference}`)),
    ...endpoints.map(endpointLine),
    ...tickLines(message.next_tick, hasKeys),
    ...without_account.map(withoutAccountLine),
  ];
}

const withTime = (lines: readonly string[], now: number): string[] =>
  lines.map((line, index) => (index === 0 ? `${lineStart(now)}${line}` : line));

function linesOf(message: DevMessage, now: number, hasKeys: boolean): string[] {
  switch (message.message) {
    case "serving":
      return servingLines(message, hasKeys);
    case "event": {
      const channel = message.channel === undefined ? "" : `[${oneLine(message.channel, maxChannelLength)}] `;
      return [
        fitWidth(lineStart(now, message.name) + channel + eventText(message.summary, JSON.stringify(message.event))),
      ];
    }
    case "log": {
      const context = message.context === undefined ? "" : `[${inLine(message.context)}] `;
      return [`${lineStart(now, message.name)}${message.level}  ${context}${oneLine(message.text, maxTextLength)}`];
    }
    case "error": {
      const { name, msg, stack, hint } = message.error;
      const headline = oneLine(name === "" ? msg : `${name}: ${msg}`, maxTextLength);
      const start = lineStart(now, message.name) + paint("red", `! ${headline}`);
      const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
      const causes = stack.split("\n").filter((line) => line.startsWith("Caused by: "));
      const hints = hint === undefined ? [] : [`hint: ${hint}`];
      const lines = [...frames.map((line) => line.trim()), ...causes.map(withNetworkHint), ...hints];
      return [start, ...[...lines, ...(message.frame === undefined ? [] : [message.frame])].map(indent)];
    }
    case "call": {
      const answer = message.status ?? (message.error === undefined ? "not awaited" : withNetworkHint(message.error));
      return [
        lineStart(now, message.name) +
          paint("dim", `http  ${oneLine(`${message.method} ${message.url} -> ${answer}`, maxTextLength)}`),
      ];
    }
    case "drop": {
      const event = `${lineStart(now, message.name)}drop  ${eventText(message.summary, JSON.stringify(message.event))}`;
      const because = paint("dim", `(${oneLine(message.because, maxTextLength)})`);
      const line = `${event}  ${because}`;
      // The reason is never cut.
      return fitWidth(line) === line ? [line] : [fitWidth(event), `    ${because}`];
    }
    case "request": {
      const asked = oneLine(`${message.method} ${message.path}`, maxTextLength);
      return [
        `${lineStart(now, message.name)}${asked}  ${message.status}  ${paint("dim", `${message.duration_ms} ms`)}`,
      ];
    }
    case "run": {
      const exported =
        message.exports === undefined ? [] : [oneLine(`left  ${JSON.stringify(message.exports)}`, maxTextLength)];
      return [lineStart(now, message.name) + runText(message), ...exported.map(indent)].map(fitWidth);
    }
    case "changed":
      return withTime(changedLines(message, hasKeys), now);
    case "broken": {
      const state = message.kept ? "the version before keeps running" : "it is deployed when it works";
      return [
        ...withTime([`${paint("red", inLine(`${message.file} does not work`))}; ${state}`], now),
        indent(message.text),
      ];
    }
    case "keys":
      return [keyLine()];
    case "note":
      return [`${lineStart(now)}${inLine(message.text)}`];
  }
}

/** A message as text; `now` is the time of printing, in epoch milliseconds. */
export const messageText = (message: DevMessage, now: number, hasKeys: boolean): string =>
  linesOf(message, now, hasKeys).join("\n");

/** A message as one line of JSON. */
export const messageJson = (message: DevMessage, now: number): string =>
  jsonText({ ...message, time: new Date(now).toISOString() });
