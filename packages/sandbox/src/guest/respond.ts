import { hostOp } from "../ops.ts";
import { type AnswerBody, beginRead, readBody } from "./answer-body.ts";
import { hopByHop, readHeaders } from "./answer-headers.ts";
import { takeContent } from "./body.ts";
import { pairsOf } from "./headers.ts";
import { effect, log } from "./host.ts";
import { kindOf } from "./kind-of.ts";
import { noteLate } from "./left-work.ts";
import { Response } from "./response.ts";
import { exactBuffer } from "./text.ts";

const { stringify } = JSON;

interface Answer {
  status?: unknown;
  statusCode?: unknown;
  headers?: unknown;
  body?: unknown;
}

/** An answer after its checks. */
interface Checked {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: AnswerBody["bytes"];
}

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

const members = ["status", "statusCode", "headers", "body"];

/** Warns about members that have no meaning, which are often misspelt. */
function warnOfUnknown(names: readonly string[]): void {
  const unknown = names.filter((name) => !members.includes(name));
  if (unknown.length > 0) log("warn", `respond ignores ${unknown.join(", ")}: it takes status, headers and body`, "[]");
}

/** What a received response says about its connection and the length of what came over it. */
const ofConnection: readonly string[] = [...hopByHop, "content-length"];

/** Reads a Response of the Fetch standard, whose body is used afterwards. */
function readResponse(response: Response): Checked {
  const isReceived = response.type === "basic";
  if (!isReceived && response.statusText !== "") warnOfUnknown(["statusText"]);
  const status = readStatus(response);
  const pairs = pairsOf(response.headers);
  const headers = readHeaders(isReceived ? pairs.filter(([name]) => !ofConnection.includes(name)) : pairs);
  const content = takeContent(response, "respond: the body of the Response has been read already");
  return {
    status,
    headers,
    bytes: content?.stream ? beginRead(content.stream) : (content?.bytes ?? new Uint8Array(0)),
  };
}

function readAnswer(answer: unknown): Checked {
  if (answer instanceof Response) return readResponse(answer);
  const isLate = typeof (answer as PromiseLike<unknown> | undefined | null)?.then === "function";
  if (typeof answer !== "object" || answer === null || isLate)
    throw new TypeError(
      `respond takes an object with status, headers and body, or a Response; got ${kindOf(answer)}${isLate ? ": await it first" : ""}`,
    );
  warnOfUnknown(Object.keys(answer));
  const { headers: given, body } = answer as Answer;
  const status = readStatus(answer);
  const headers = readHeaders(given);
  const { bytes, type } = readBody(body);
  if (type && !headers.some(([name]) => name.toLowerCase() === "content-type")) headers.push(["content-type", type]);
  return { status, headers, bytes };
}

/** Bodies that the current call still reads. */
let reading: Promise<void>[] = [];

/** Starts a call, which reads no body yet. */
export function beginAnswers(): void {
  reading = [];
}

/** Calls `done` when the bodies have been read: a run that does not await `respond` answers all the same. */
export function afterAnswers(done: () => void): void {
  if (reading.length === 0) done();
  else void Promise.allSettled(reading).then(done);
}

export interface HttpInterface {
  endpoint: string;
  respond(answer: unknown): Promise<void>;
}

/** Sends one answer: the first one whose body can be read. */
function createSender(): (answer: Checked) => Promise<void> {
  let sent: "no" | "reading" | "yes" = "no";
  const send = ({ status, headers }: Checked, bytes: Uint8Array): void => {
    effect(hostOp.respond, stringify({ status, headers }), exactBuffer(bytes));
    noteLate("respond", String(status));
    sent = "yes";
  };
  return (answer) => {
    const { bytes } = answer;
    if (sent !== "no") {
      if (bytes instanceof Promise) bytes.catch(() => undefined);
      const first = sent === "yes" ? "was sent" : "is sent when its body has been read";
      log("warn", `respond was called again; the first answer ${first}`, "[]");
      return Promise.resolve();
    }
    if (!(bytes instanceof Promise)) {
      send(answer, bytes);
      return Promise.resolve();
    }
    sent = "reading";
    const done = bytes
      .then((read) => send(answer, read))
      .catch((error: unknown) => {
        // The author may catch this and answer something else.
        sent = "no";
        throw error;
      });
    reading.push(done);
    return done;
  };
}

/** The value of an HTTP interface prop. `fired`: its request started the run. `called` names the function in messages. */
export function createHttp(
  prop: string,
  data: { endpoint: string; customResponse: boolean },
  fired: boolean,
  called = `this.${prop}.respond`,
): HttpInterface {
  let warned = false;
  const send = createSender();
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
      return send(readAnswer(answer));
    },
  };
}
