import type { EndpointRequest, EndpointResponse } from "@x/runtime";

import { checkNames } from "../known-names.ts";
import { HarnessError } from "../harness-error.ts";
import type { ErrorRecord } from "../records.ts";
import { shown } from "../shown.ts";
import { headersOf, readBody } from "./calls.ts";

/** The parts of a request besides method and path. */
export interface RequestParts {
  readonly headers?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string | number | boolean };
  /** Text and bytes are sent unchanged, `URLSearchParams` as a form, other values as JSON. */
  readonly body?: unknown;
  /** Name of the HTTP prop; needed when the component has several. */
  readonly prop?: string;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The parsed JSON, or the text if it is not JSON; undefined for an empty body. */
  readonly body: unknown;
  readonly bytes: Uint8Array;
  /** The error of the run; absent when it succeeded. */
  readonly error?: ErrorRecord;
}

const form = /^([A-Za-z]+)\s+(\/\S*)$/;

function encode(body: unknown): { readonly bytes: Uint8Array; readonly type?: string } {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  if (body === undefined) return { bytes: new Uint8Array() };
  if (body instanceof Uint8Array) return { bytes: body };
  if (typeof body === "string") return { bytes: text(body) };
  if (body instanceof URLSearchParams)
    return { bytes: text(body.toString()), type: "application/x-www-form-urlencoded" };
  return { bytes: text(JSON.stringify(body)), type: "application/json" };
}

/** The request that the endpoint gets. Throws `HarnessError` unless the line has the form `POST /path?a=1`. */
export function endpointRequest(line: string, parts: RequestParts, endpoint: string): EndpointRequest {
  checkNames("part of a request", parts, ["headers", "query", "body", "prop"], "parts of a request");
  const [, method = "", target = ""] = form.exec(line) ?? [];
  if (method === "") throw new HarnessError(`A request is a method and a path such as "POST /", got ${shown(line)}.`);
  const url = new URL(`${endpoint}${target}`);
  for (const [name, value] of Object.entries(parts.query ?? {})) url.searchParams.append(name, String(value));
  const { bytes, type } = encode(parts.body);
  const headers = Object.entries(parts.headers ?? {}).map(([name, value]): [string, string] => [name, value]);
  const isTyped = headers.some(([name]) => name.toLowerCase() === "content-type");
  if (type !== undefined && !isTyped) headers.unshift(["content-type", type]);
  return {
    method: method.toUpperCase(),
    path: target.split("?")[0] ?? "/",
    url: url.href,
    search: url.search.slice(1),
    headers,
    body: bytes,
    clientIp: "127.0.0.1",
  };
}

/** The endpoint's answer with its body parsed. */
export function answerOf({ status, headers: given, body: bytes }: EndpointResponse, error?: ErrorRecord): Answer {
  const headers = headersOf(given);
  const text = new TextDecoder().decode(bytes);
  return { status, headers, body: readBody(text, headers["content-type"] ?? null), bytes, ...(error && { error }) };
}
