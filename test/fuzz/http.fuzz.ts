import {
  array,
  type Arbitrary,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
  stringMatching,
  uint8Array,
} from "fast-check";

import { apiKey, component, endpointPath, type Service, startService } from "../conformance/fixture.ts";
import { type Damage, damaged, someDamage } from "./damage.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { exchangeBytes, readAnswers, type WireAnswer } from "./http-wire.ts";

/** A request to an endpoint that answers with what it received, in one of the forms that HTTP has. */
interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly mark: string;
  /** Base64, or the size of a body of one letter. */
  readonly body: string | number;
  /** Sizes of the chunks, in turn; none: the body has a length. */
  readonly chunks: readonly number[];
  readonly extension: string;
  readonly trailer: string;
  /** Lines between the marks of the head. */
  readonly more: readonly string[];
  readonly upper: boolean;
}

interface Input {
  readonly requests: readonly WireRequest[];
  /** Where the bytes are split into writes. */
  readonly cuts: readonly number[];
  readonly damage: readonly Damage[];
  /** A broken request after the others, which are answered first. */
  readonly tail?: string;
}

const inner = `GET /in/KEY/inner HTTP/1.1\r\nhost: a\r\nx-mark: inner\r\n\r\n`;
const body = oneof(
  uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  constantFrom("", inner, `0\r\n\r\n${inner}`, "\r\n", '{"a":"\\ud800"}').map((text) =>
    Buffer.from(text).toString("base64"),
  ),
  integer({ min: 10_000, max: 60_000 }),
);
const request: Arbitrary<WireRequest> = record(
  {
    method: constantFrom("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"),
    path: stringMatching(/^(?:\/[\w~!$&'()*+,;=:@-]{0,6}(?:%[3-7][0-9A-F])?){0,3}$/),
    mark: stringMatching(/^[!-~\xa1-\xff](?:[ -~\xa1-\xff]{0,12}[!-~\xa1-\xff])?$/),
    body,
    chunks: oneof(
      constantFrom<readonly number[]>([]),
      array(integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }),
    ),
    extension: constantFrom("", "", ";a", ";a=b", ';a="b;c"'),
    trailer: constantFrom("", "", "x-trailer: 1\r\n", "x-mark: late\r\n"),
    more: array(
      constantFrom(
        "accept: */*",
        "cookie: a=b",
        "cookie: c=d",
        "x-empty:",
        "expect: 100-continue",
        "te: trailers",
        "content-type: application/json",
        "content-type: text/plain; charset=latin1",
        "upgrade: h2c",
        "connection: keep-alive",
        "x-forwarded-host: other",
        "content-encoding: identity",
        "if-none-match: *",
        "__proto__: x",
      ),
      { maxLength: 3 },
    ),
    upper: boolean(),
  },
  { noNullPrototype: true },
);
const damage = someDamage(
  constantFrom(
    "",
    "\0",
    "\n",
    "\r",
    "\r\n",
    "\r\n\r\n",
    " ",
    "\t",
    ":",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n",
    "Transfer-Encoding:\x0bchunked\r\n",
    "Transfer-Encoding : chunked\r\n",
    "Content-Length: 3\r\n",
    "Content-Length: 0\r\nContent-Length: 3\r\n",
    "Content-Length: +3\r\n",
    " folded\r\n",
    "Host: b\r\n",
    "Connection: close\r\n",
    "Connection: upgrade\r\nUpgrade: websocket\r\n",
    "HTTP/1.0",
    "HTTP/2.0",
    "GET ",
    "HEAD ",
    "CONNECT a:1 HTTP/1.1\r\n\r\n",
    "http://other/v1/users",
    "..",
    "%2e%2e/",
    "%",
    "\\",
    "0\r\n\r\n",
    "ffffffffffffffff\r\n",
    "\xff",
    "x".repeat(20_000),
  ),
  { maxAt: 600, maxLength: 20 },
  3,
);
const input: Arbitrary<Input> = record(
  {
    requests: array(request, { minLength: 1, maxLength: 4 }),
    cuts: array(integer({ min: 1, max: 500 }), { maxLength: 6 }),
    damage: oneof({ weight: 2, arbitrary: constantFrom<readonly Damage[]>([]) }, { weight: 3, arbitrary: damage }),
    tail: constantFrom("", "", "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"),
  },
  { noNullPrototype: true },
);

function chunked(bytes: Buffer, { chunks, extension, trailer }: WireRequest): Buffer {
  const parts: Buffer[] = [];
  for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
    const piece = bytes.subarray(at, at + (chunks[turn % chunks.length] ?? 1) * (bytes.length > 1_000 ? 500 : 1));
    parts.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from("\r\n"));
    at += piece.length;
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)]);
}

function writeRequest(given: WireRequest, endpoint: string, isLast: boolean): Buffer {
  const bytes = bodyOf(given, endpoint);
  const isChunked = given.chunks.length > 0;
  const lines = [
    "host: e.test",
    ...given.more,
    `x-mark: ${given.mark}`,
    isChunked ? "transfer-encoding: chunked" : `content-length: ${bytes.length}`,
    ...(isLast ? ["connection: close"] : []),
  ].map((line) => (given.upper ? line.replace(/^[^:]+/, (name) => name.toUpperCase()) : line));
  const head = `${given.method} ${endpoint}${given.path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), isChunked ? chunked(bytes, given) : bytes]);
}

const bodyOf = ({ body: given }: WireRequest, endpoint: string): Buffer => {
  if (typeof given === "number") return Buffer.alloc(given, "z");
  const bytes = Buffer.from(given, "base64");
  return bytes.includes("/in/KEY") ? Buffer.from(bytes.toString().replaceAll("/in/KEY", endpoint)) : bytes;
};

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

interface Echo {
  readonly method: string;
  readonly path: string;
  readonly mark: string;
  readonly bytes: string;
}

const expects = ({ more }: WireRequest): boolean => more.includes("expect: 100-continue");

/** Throws unless the endpoint received exactly these requests, each once and in this order. */
function checkEchoes(answers: readonly WireAnswer[], requests: readonly WireRequest[], endpoint: string): void {
  // A connection closes after an answer that came before its 100 Continue, because nobody knows whether the body follows.
  const waiting = requests.findIndex((each, index) => index > 0 && expects(each));
  if (answers.length > requests.length || answers.length < (waiting < 0 ? requests.length : waiting + 1))
    throw new Error(`${answers.length} answers to ${requests.length} requests`);
  for (const [index, given] of requests.slice(0, answers.length).entries()) {
    const { status, body: text } = answers[index] ?? { status: 0, body: "" };
    if (status !== 200) throw new Error(`request ${index} is answered with ${status} ${text}`);
    const expected: Echo = {
      method: given.method,
      path: given.path === "" ? "/" : given.path,
      mark: given.mark,
      bytes: bodyOf(given, endpoint).toString("hex"),
    };
    const echo = JSON.parse(text) as Echo;
    for (const name of ["method", "path", "mark", "bytes"] as const)
      if (echo[name] !== expected[name])
        throw new Error(
          `${name} of request ${index} is ${JSON.stringify(echo[name])}, sent was ${JSON.stringify(expected[name])}`,
        );
  }
}

const echo = component({
  name: "Echo",
  props: 'http: { type: "$.interface.http", customResponse: true }',
  run: `const bytes = event.body_b64 === undefined ? Buffer.from(event.bodyRaw) : Buffer.from(event.body_b64, "base64");
    const { method, path, headers } = event;
    this.http.respond({ status: 200, body: JSON.stringify({ method, path, mark: headers["x-mark"], bytes: bytes.toString("hex") }) });`,
});

async function check(service: Service, endpoint: string, given: Input): Promise<void> {
  const { requests, cuts, damage: damages, tail = "" } = given;
  const whole = Buffer.concat([
    ...requests.map((each, index) => writeRequest(each, endpoint, tail === "" && index === requests.length - 1)),
    Buffer.from(tail),
  ]);
  const bytes = damaged(whole, damages, "latin1");
  const port = Number(new URL(service.url).port);
  // Undamaged requests end their connection; the server waits for the rest of others.
  const settled = async (): Promise<void> => {
    if (damages.length === 0) return new Promise(() => undefined);
    for (let turn = 0; turn <= requests.length; turn += 1) {
      await fetch(`${service.url}/healthz`);
      await service.runtime.idle();
    }
  };
  const answers = readAnswers(await exchangeBytes(port, split(bytes, cuts), settled));
  const failed = answers.find(({ status }) => status >= 500 || status < 200);
  if (failed) throw new Error(`an answer is ${failed.status} ${failed.body}`);
  if (damages.length === 0) {
    const last = tail === "" ? undefined : answers.at(-1);
    checkEchoes(last?.status === 400 ? answers.slice(0, -1) : answers, requests, endpoint);
    if (last && last.status !== 400 && answers.length === requests.length && !requests.some(expects))
      throw new Error("the broken request has no answer");
  }
  const { status } = await fetch(`${service.url}/v1/users/me`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (status !== 200) throw new Error(`another client is answered with ${status}`);
}

export const httpFuzzer: Fuzzer = {
  name: "http",
  about: "each request on a connection is received once, whole and alone, whatever its form; broken ones are refused",
  runs: 120,
  async open() {
    const service = await startService({ packages: false });
    const source = await service.deploy(echo);
    const endpoint = endpointPath(source);
    return defineTarget<Input>({
      arbitrary: input,
      property: (given) => check(service, endpoint, given),
      close: async () => service[Symbol.asyncDispose](),
    });
  },
};
