import type { Attack } from "../attack.ts";

/** Bytes of a client; `KEY` is a valid API key, `IN` the path of an endpoint. */
export interface RawRequest extends Attack {
  readonly bytes: string;
  /** The status codes of all answers, in order. */
  readonly answers: readonly number[];
}

const end = "\r\n\r\n";
const auth = "authorization: Bearer KEY\r\nhost: 127.0.0.1\r\n";
const inner = `GET /v1/users/me HTTP/1.1\r\n${auth}connection: close${end}`;
const post = (headers: string, body: string): string =>
  `POST /v1/sources HTTP/1.1\r\n${auth}content-type: application/json\r\n${headers}${end}${body}`;
const path = (text: string): string => `GET ${text} HTTP/1.1\r\n${auth}connection: close${end}`;

type Row = readonly [id: string, bytes: string, answers: readonly number[]];

const framing: readonly Row[] = [
  ["two-lengths", post("content-length: 0\r\ncontent-length: 5", inner), [400]],
  ["length-list", post("content-length: 0, 5", inner), [400]],
  ["length-and-chunks", post("content-length: 4\r\ntransfer-encoding: chunked", `0${end}${inner}`), [400]],
  ["chunked-twice", post("transfer-encoding: chunked, chunked", `0${end}${inner}`), [400]],
  ["identity-chunked", post("transfer-encoding: chunked, identity", `0${end}${inner}`), [400]],
  ["tabbed-coding", post("transfer-encoding:\tchunked\x0b", `0${end}${inner}`), [400]],
  ["spaced-name", post("transfer-encoding : chunked", `0${end}${inner}`), [400]],
  ["negative-length", post("content-length: -1", inner), [400]],
  ["plus-length", post("content-length: +5", inner), [400]],
  ["hex-length", post("content-length: 0x5", inner), [400]],
  ["huge-length", post("content-length: 99999999999999999999", inner), [400]],
  ["bad-chunk-size", post("transfer-encoding: chunked", `zz\r\n${inner}`), [400]],
  ["huge-chunk-size", post("transfer-encoding: chunked", `fffffffffffffffff\r\n${inner}`), [400]],
  ["chunk-extension", post("transfer-encoding: chunked", `1;${"x".repeat(40_000)}\r\n{\r\n0${end}`), [413]],
  ["folded-header", post("x-a: b\r\n transfer-encoding: chunked", `0${end}`), [400]],
  ["bare-line-feeds", `GET /v1/users/me HTTP/1.1\n${auth.replaceAll("\r\n", "\n")}\n`, [400]],
  ["nul-in-header", `GET / HTTP/1.1\r\nx: a\0b\r\nhost: x${end}`, [400]],
  ["return-in-header", `GET / HTTP/1.1\r\nx: a\rb\r\nhost: x${end}`, [400]],
  ["no-name", `GET / HTTP/1.1\r\n: a\r\nhost: x${end}`, [400]],
  ["two-hosts", `GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close${end}`, [400]],
  ["bad-host", `GET /healthz HTTP/1.1\r\nhost: a b@c/d\r\nconnection: close${end}`, [400]],
  ["bad-version", `GET / HTTP/9.9\r\nhost: x${end}`, [400]],
  ["http-2-preface", `PRI * HTTP/2.0${end}SM${end}`, [400]],
  ["bad-method", `G\x01T / HTTP/1.1\r\nhost: x${end}`, [400]],
  ["connect", `CONNECT 127.0.0.1:80 HTTP/1.1\r\nhost: 127.0.0.1:80${end}`, [405]],
  ["expectation", post("expect: everything\r\ncontent-length: 2\r\nconnection: close", "{}"), [417]],
  ["large-header", `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(20_000)}${end}`, [431]],
  [
    "many-headers",
    `GET /healthz HTTP/1.1\r\nhost: x\r\n${Array.from({ length: 3_000 }, (_, n) => `x${n}: y`).join("\r\n")}${end}`,
    [431],
  ],
  ["large-url", path(`/${"a".repeat(20_000)}`), [431]],
  ["tls", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", [400]],
];

const paths: readonly Row[] = [
  ["dots", path("/v1/../v1/users/me"), [404]],
  ["encoded-dots", path("/v1/%2e%2e/v1/users/me"), [404]],
  ["back-slashes", path("/in\\..\\v1\\users\\me"), [400]],
  ["dots-in-endpoint", path("/in/../v1/users/me"), [404]],
  ["double-slash", path("//v1/users/me"), [404]],
  ["encoded-slash", path("/v1%2fusers%2fme"), [404]],
  ["nul", path("/v1/users/me%00"), [404]],
  ["absolute", path("http://127.0.0.1/v1/no"), [404]],
  ["authority", path("//evil.example/v1/users/me"), [404]],
  ["prototype-source", path("/v1/sources/__proto__"), [404]],
  ["prototype-component", path("/v1/components/constructor"), [404]],
  ["prototype-db", path("/v1/sources/constructor/db/__proto__"), [404]],
  ["bad-percent", path("/v1/sources/%zz"), [404]],
  ["lone-percent", path("/v1/sources/%"), [404]],
  ["bad-utf-8", path("/v1/sources/%ff%fe"), [404]],
  ["endpoint-of-nobody", path(`/in/${"a".repeat(26)}`), [404]],
  ["endpoint-prototype", path("/in/__proto__"), [404]],
  ["docs-traversal", path("/docs/..%2f..%2fpackage.json"), [404]],
  ["cursor", path("/v1/users/me/sources?after=AAAA"), [400]],
  ["limit", path("/v1/users/me/sources?limit=1e999"), [400]],
  ["repeated-limit", path("/v1/users/me/sources?limit=1&limit=2"), [400]],
];

const json = (text: string): string => post(`content-length: ${Buffer.byteLength(text)}\r\nconnection: close`, text);
const bodies: readonly Row[] = [
  ["not-json", json("{"), [400]],
  ["deep", json(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), [400]],
  ["deep-objects", json(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`), [400]],
  ["proto", json(`{"__proto__":{"component_code":"x"}}`), [400]],
  ["constructor", json(`{"constructor":{"prototype":{"component_code":"x"}}}`), [400]],
  ["repeated-names", json(`{"component_code":"a","component_code":1}`), [400]],
  ["number", json("1"), [400]],
  ["nothing", json("null"), [400]],
  ["huge-number", json(`{"component_code":1e99999}`), [400]],
  ["bad-utf-8", post("content-length: 6\r\nconnection: close", `{"\xff":1}`.slice(0, 6)), [400]],
  ["too-large", post(`content-length: ${2 ** 21}\r\nconnection: close`, "x"), [413]],
  [
    "wrong-type",
    `POST /v1/sources HTTP/1.1\r\n${auth}content-type: text/plain\r\ncontent-length: 2\r\nconnection: close${end}{}`,
    [415],
  ],
  [
    "form",
    `POST /v1/sources HTTP/1.1\r\n${auth}content-type: application/x-www-form-urlencoded\r\ncontent-length: 3\r\nconnection: close${end}a=b`,
    [415],
  ],
  ["coded", post("content-encoding: compress\r\ncontent-length: 2\r\nconnection: close", "{}"), [415]],
  [
    "endpoint-too-large",
    `POST IN HTTP/1.1\r\nhost: x\r\ncontent-length: ${2 ** 20}\r\nconnection: close${end}x`,
    [413],
  ],
];

const rows = (kind: string, list: readonly Row[]): readonly RawRequest[] =>
  list.map(([id, bytes, answers]) => ({
    id: `request-${kind}-${id}`,
    class: "requests",
    promise: "requests-checked",
    bytes,
    answers,
  }));

export const rawRequests: readonly RawRequest[] = [
  ...rows("framing", framing),
  ...rows("path", paths),
  ...rows("body", bodies),
];
