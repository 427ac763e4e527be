import { hostOp } from "../ops.ts";
import { badHeaderValue, headerName } from "./headers.ts";
import { effect, log } from "./host.ts";
import { noteLate } from "./left-work.ts";
import { writeJson } from "./json-text.ts";
import { encodeUtf8, exactBuffer, viewBytes } from "./text.ts";

const { stringify } = JSON;

interface Answer {
  status?: unknown;
  statusCode?: unknown;
  headers?: Record<string, unknown>;
  body?: unknown;
}

const hopByHop =
  "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade".split(" ");

function readStatus(answer: Answer): number {
  if (answer.status === undefined && answer.statusCode !== undefined)
    throw new TypeError("respond takes status, not statusCode: did you mean status?");
  const status =
    typeof answer.status === "string" && /^\d{3}$/.test(answer.status) ? Number(answer.status) : answer.status;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 100 || status > 599) {
    throw new RangeError(`respond: status must be an integer from 100 to 599, got ${String(answer.status)}`);
  }
  if (status < 200)
    throw new RangeError(
      `respond: status ${status} cannot be the answer: 100 to 199 only announce one; use 200 to 599`,
    );
  return status;
}

function readHeaders(given: Record<string, unknown> = {}): [string, string][] {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    if (!headerName.test(name)) throw new TypeError(`respond: header name "${name}" is not valid`);
    if (hopByHop.includes(name.toLowerCase()))
      throw new TypeError(`respond: header "${name}" belongs to the connection and cannot be set`);
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const text = String(item);
      if (badHeaderValue.test(text))
        throw new TypeError(`respond: the value of header "${name}" holds characters that are not allowed`);
      headers.push([name, text]);
    }
  }
  return headers;
}

const members = ["status", "statusCode", "headers", "body"];

/** Warns about members that have no meaning, which are often misspelt. */
function warnOfUnknown(answer: Answer): void {
  const unknown = Object.keys(answer).filter((name) => !members.includes(name));
  if (unknown.length > 0) log("warn", `respond ignores ${unknown.join(", ")}: it takes status, headers and body`, "[]");
}

/** The bytes of the body, and its default content type. */
function readBody(body: unknown): { bytes: Uint8Array; type?: string } {
  if (body === undefined || body === null) return { bytes: new Uint8Array(0) };
  const view = viewBytes(body);
  if (view) return { bytes: view.slice() };
  if (typeof body === "object")
    return { bytes: encodeUtf8(writeJson(body, "respond", "body") ?? ""), type: "application/json" };
  return { bytes: encodeUtf8(String(body)) };
}

export interface HttpInterface {
  endpoint: string;
  respond(answer: Answer): Promise<void>;
}

/** The value of an HTTP interface prop. `fired`: its request started the run. `called` names the function in messages. */
export function createHttp(
  prop: string,
  data: { endpoint: string; customResponse: boolean },
  fired: boolean,
  called = `this.${prop}.respond`,
): HttpInterface {
  let warned = false;
  let sent = false;
  return {
    endpoint: data.endpoint,
    respond(answer) {
      if (!fired) throw new Error(`${called} is only available in a run that a request to ${prop} started`);
      if (!data.customResponse) {
        if (!warned)
          log(
            "warn",
            `respond is ignored: prop "${prop}" has no customResponse: true, the default answer was sent`,
            "[]",
          );
        warned = true;
        return Promise.resolve();
      }
      if (typeof answer !== "object" || answer === null)
        throw new TypeError("respond takes an object with status, headers and body");
      warnOfUnknown(answer);
      const status = readStatus(answer);
      const headers = readHeaders(answer.headers);
      const body = readBody(answer.body);
      if (body.type && !headers.some(([name]) => name.toLowerCase() === "content-type"))
        headers.push(["content-type", body.type]);
      if (sent) log("warn", "respond was called again; the first answer was sent", "[]");
      else {
        effect(hostOp.respond, stringify({ status, headers }), exactBuffer(body.bytes));
        noteLate("respond", String(status));
      }
      sent = true;
      return Promise.resolve();
    },
  };
}
