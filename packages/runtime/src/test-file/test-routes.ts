import type { Json } from "@x/model";
import { Call, Code, literal, type Printable } from "./literal.ts";
import type { TestCall } from "./test-run.ts";
import { decoded, type StandIns } from "./stand-ins.ts";

/** Headers of the connection, of the transport and of caches; no component needs them. */
const unread =
  /^(?:alt-svc|age|cache-control|cf-.*|connection|content-encoding|content-length|date|keep-alive|nel|report-to|server|set-cookie|strict-transport-security|transfer-encoding|vary|via|x-cache.*|x-served-by|x-timer)$/i;
/** JSON numbers that a double cannot hold. */
const longNumber = /(?<![\w.])-?\d{16,}/;

/** A route of a test: its line, its answers in order, and the requests that it got. */
export interface TestRoute {
  readonly line: string;
  readonly answer: Printable;
  readonly calls: readonly TestCall[];
}

/** A part of a URL with each stand-in as `*`, which matches any text. */
const asPattern = (text: string): string => text.replaceAll(/\*+|secret-\d+|endpoint-\d+/g, "*");

/** In a route `:name` stands for any text, which `:name` is too; but a route has each name once. */
function pathPattern(path: string): string {
  const names = path.match(/:[A-Za-z_]\w*/g) ?? [];
  return asPattern(new Set(names).size === names.length ? path : path.replaceAll(/:[A-Za-z_]\w*/g, "*"));
}

/** The line of the route for a request. The query is left out where it has a secret. */
function lineOf({ method, url: text }: TestCall, standIns: StandIns): string {
  const url = URL.parse(standIns.text(text));
  if (!url) return `${method} ${text}`;
  const search = standIns.hides(decoded(url.search)) ? "" : url.search;
  const host = asPattern(url.hostname) + (url.port === "" ? "" : `:${url.port}`);
  return `${method} ${url.protocol}//${host}${pathPattern(url.pathname)}${search}`;
}

/** Deeper values stay texts, as in events. */
const deepest = 256;

const isDeeper = (value: Json, most: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (most === 0 || Object.values(value).some((item: Json) => isDeeper(item, most - 1)));

/** The value of a JSON text; undefined for other text, and for a value whose text a component would get changed. */
export function jsonOf(text: string, type: string | undefined): Json | undefined {
  if (type !== undefined && !/json/i.test(type)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === "string" || longNumber.test(text) || isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

const isDefaultType = (type: string, body: Printable): boolean =>
  typeof body === "string" ? /^text\/plain\b/i.test(type) : /^application\/json\b/i.test(type);

/** The answer that a request got. */
function answerOf(call: TestCall, standIns: StandIns): Printable {
  const { status, responseBody: text = "", responseHeaders, isBase64 = false } = call;
  const given = Object.entries(standIns.headers(responseHeaders)).filter(([name]) => !unread.test(name));
  const type = given.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const json = isBase64 ? undefined : jsonOf(text, type);
  const asText = text === "" ? undefined : standIns.text(text);
  const bytes = new Call("Buffer.from", text, "base64");
  const body: Printable = isBase64 ? bytes : json === undefined ? asText : standIns.value(json);
  const headers = given.filter(([name, value]) => name.toLowerCase() !== "content-type" || !isDefaultType(value, body));
  if (status === 200 && headers.length === 0 && json !== undefined) return body;
  const last = headers.length === 0 ? [] : [Object.fromEntries(headers)];
  return new Call("reply", status, ...(body === undefined && last.length === 0 ? [] : [body]), ...last);
}

const failing = ({ error = "no answer" }: TestCall, standIns: StandIns): Code =>
  new Code(`() => Promise.reject(new Error(${JSON.stringify(standIns.text(error))}))`);

/** One answer for all requests of a route, or a function that gives each request its own. */
function answersOf(calls: readonly TestCall[], standIns: StandIns): Printable {
  const answers = calls.map((call) => (call.status === null ? failing(call, standIns) : answerOf(call, standIns)));
  const texts = answers.map((answer) => literal(answer));
  if (new Set(texts).size === 1) return answers[0];
  const hasFailed = calls.some(({ status }) => status === null);
  const list = hasFailed ? answers.map(asFunction) : answers;
  const head = "({ times }) => ";
  return new Code(
    (indent, column) => `${head}${literal(list, indent, column + head.length)}[times]${hasFailed ? "?.()" : ""}`,
  );
}

function asFunction(answer: Printable): Printable {
  if (answer instanceof Code) return answer;
  return new Code((indent, column) => {
    const text = literal(answer, indent, column + 8);
    return text.startsWith("{") ? `() => (${text})` : `() => ${text}`;
  });
}

/** The routes that answer a test as the upstreams answered the run. */
export function testRoutes(calls: readonly TestCall[], standIns: StandIns): TestRoute[] {
  const byLine = Map.groupBy(calls, (call) => lineOf(call, standIns));
  return [...byLine].map(([line, own]) => ({ line, answer: answersOf(own, standIns), calls: own }));
}
