import type { ExecutionDetail } from "@x/client";

import { UsageError } from "../errors.ts";

/** A request to an endpoint that was captured, to be sent again. */
export interface CapturedRequest {
  readonly method: string;
  /** Path and query below the endpoint, such as `/a?b=1`. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

type Fields = { readonly [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textIn = (fields: Fields, name: string): string | undefined =>
  typeof fields[name] === "string" ? fields[name] : undefined;

/** Those that are made anew. */
const hopHeaders = new Set([
  "host",
  "content-length",
  "connection",
  "transfer-encoding",
  "keep-alive",
  "upgrade",
  "expect",
]);

function pairsOf(headers: unknown): [string, string][] {
  const pairs = Array.isArray(headers)
    ? headers.map((each: unknown) => (Array.isArray(each) ? each : isFields(each) ? [each["name"], each["value"]] : []))
    : isFields(headers)
      ? Object.entries(headers)
      : [];
  return pairs.flatMap(([name, value]): [string, string][] =>
    // Names that begin with a colon are of HTTP/2.
    typeof name === "string" && !name.startsWith(":") && !hopHeaders.has(name.toLowerCase())
      ? [[name, String(value)]]
      : [],
  );
}

/** What is below the endpoint in a path with a query; the query alone of URLs of other servers. */
function targetOf(path: string): string {
  const below = /\/in\/\w+(\/[^?]*)?(\?.*)?$/.exec(path);
  if (below) return `${below[1] ?? "/"}${below[2] ?? ""}`;
  const query = path.indexOf("?");
  return `/${query === -1 ? "" : path.slice(query)}`;
}

const bodyOf = (text: string | undefined, base64: string | undefined): Uint8Array =>
  base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64");

/** The request of a stored execution; undefined for other triggers, and when it is not whole. */
export function requestOfExecution({ request }: Pick<ExecutionDetail, "request">): CapturedRequest | undefined {
  if (!request || request.body_truncated || request.headers_truncated) return undefined;
  const { method, target, headers, body, body_base64: base64 } = request;
  return { method, target: targetOf(target), headers: pairsOf(headers), body: bodyOf(body, base64) };
}

/** An entry of a HAR file. */
function requestOfEntry(request: Fields): CapturedRequest {
  const data = isFields(request["postData"]) ? request["postData"] : {};
  const text = textIn(data, "text");
  const isBase64 = data["encoding"] === "base64";
  return {
    method: textIn(request, "method") ?? "POST",
    target: targetOf(textIn(request, "url") ?? ""),
    headers: pairsOf(request["headers"]),
    body: bodyOf(text, isBase64 ? (text ?? "") : undefined),
  };
}

/** An event of an HTTP interface, as components get it. */
function requestOfEvent(event: Fields): CapturedRequest {
  const { body, query } = event;
  const raw =
    textIn(event, "bodyRaw") ?? (typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body));
  const search = isFields(query)
    ? new URLSearchParams(
        Object.entries(query).flatMap(([name, value]) =>
          [value].flat().map((one): [string, string] => [name, String(one)]),
        ),
      ).toString()
    : "";
  const headers = pairsOf(event["headers"]);
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  return {
    method: textIn(event, "method") ?? "POST",
    target: `${textIn(event, "path") ?? "/"}${search === "" ? "" : `?${search}`}`,
    headers: isTyped || typeof body !== "object" ? headers : [...headers, ["content-type", "application/json"]],
    body: bodyOf(raw, textIn(event, "body_b64")),
  };
}

function requestOf(value: unknown, where: string): CapturedRequest {
  if (!isFields(value)) throw new UsageError(`${where} must be an object, got ${JSON.stringify(value)?.slice(0, 60)}`);
  if (isFields(value["request"]) && "target" in value["request"]) {
    const request = requestOfExecution(value);
    if (!request) throw new UsageError(`${where} is a run whose request was too large to be stored whole`);
    return request;
  }
  if (isFields(value["request"])) return requestOfEntry(value["request"]);
  if (isFields(value["event"]) && "method" in value["event"]) return requestOfEvent(value["event"]);
  if ("method" in value || "body" in value || "bodyRaw" in value) return requestOfEvent(value);
  throw new UsageError(`${where} is no request: it has neither request, nor method, nor body`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The requests in a text: a HAR file, events of an HTTP interface, or runs as `x runs show --json` prints them; one of these, a
 * list, or one a line. `name` is in the message. Throws `UsageError`.
 */
export function parseCaptured(text: string, name: string): CapturedRequest[] {
  const whole = parseJson(text.replace(/^\uFEFF/, ""));
  if (whole !== undefined) {
    const log = isFields(whole) && isFields(whole["log"]) ? whole["log"]["entries"] : undefined;
    const list: unknown[] = Array.isArray(log) ? log : Array.isArray(whole) ? whole : [whole];
    return list.map((value, index) => requestOf(value, `Entry ${index + 1} of ${name}`));
  }
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const value = parseJson(line);
    if (value === undefined) throw new UsageError(`Line ${index + 1} of ${name} is not JSON`);
    return [requestOf(value, `Line ${index + 1} of ${name}`)];
  });
}
