import { apiKey } from "./fixture.ts";

interface Wire {
  readonly bytes: string | Uint8Array;
  readonly status: number;
}

const wire = (bytes: string, status = 400): Wire => ({ bytes, status });
/** The beginning of a valid request. */
const authorized = `authorization: Bearer ${apiKey}\r\nhost: a\r\nconnection: close\r\n`;
const create = `POST /v1/sources HTTP/1.1\r\n${authorized}content-type: application/json\r\n`;
const chunked = (body: string, status = 400): Wire =>
  wire(`${create}transfer-encoding: chunked\r\n\r\n${body}`, status);
const length = (value: string, body = "{}"): Wire => wire(`${create}content-length: ${value}\r\n\r\n${body}`);
const target = (text: string, status = 400): Wire => wire(`GET ${text} HTTP/1.1\r\n${authorized}\r\n`, status);
const header = (line: string, status = 400): Wire =>
  wire(`GET /v1/users/me HTTP/1.1\r\n${authorized}${line}\r\n\r\n`, status);
const host = (value: string): Wire => wire(`GET /v1/users/me HTTP/1.1\r\nhost: ${value}\r\nconnection: close\r\n\r\n`);

/** Bytes that no ordinary client sends; the server closes the connection after its answer. */
export const wires: Readonly<Record<string, Wire>> = {
  "wire: not HTTP": wire("hello\r\n\r\n"),
  "wire: HTTP/2": wire("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  "wire: TLS": { bytes: Uint8Array.of(0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x03), status: 400 },
  "wire: unknown method": wire("BREW / HTTP/1.1\r\nhost: a\r\n\r\n"),
  "wire: method in small letters": wire("get /v1/users/me HTTP/1.1\r\nhost: a\r\n\r\n"),
  "wire: unknown version": wire("GET / HTTP/9.9\r\nhost: a\r\n\r\n"),
  "wire: no target": wire("GET HTTP/1.1\r\nhost: a\r\n\r\n"),
  "wire: no Host, and no key": wire("GET /v1/users/me HTTP/1.1\r\nconnection: close\r\n\r\n", 401),
  "wire: strange Host": host("a b/c"),
  "wire: Host with a path": host("a/v1"),
  "wire: Host with a user": host("u@a"),
  "wire: Host with a port that is a word": host("a:b"),
  "wire: Host in broken brackets": host("[::1"),
  "wire: backslash in the path": target("/v1\\x"),
  "wire: space in the path": target("/v1/users /me"),
  "wire: NUL in the path": target("/v1/\0"),
  "wire: out of an endpoint into the interface": target("/in/../v1/users/me", 404),
  "wire: out of an endpoint, encoded": target("/in/%2e%2E/v1/users/me", 404),
  "wire: out of an endpoint, half encoded": target("/in/x/.%2e/../v1/users/me", 404),
  "wire: out of an endpoint, in a whole URL": target("http://a/in/../v1/users/me", 404),
  "wire: a segment that is a dot": target("/./v1/users/me", 404),
  "wire: another scheme": target("ftp://a/v1/users/me"),
  "wire: another host in the target": target("http://a b/v1/users/me"),
  "wire: authority for a target": target("a:1"),
  "wire: star for a target": target("*"),
  "wire: header without a name": wire("GET / HTTP/1.1\r\n: x\r\n\r\n"),
  "wire: header without a colon": header("oops"),
  "wire: header that goes on in the next line": header("x-a: 1\r\n  2"),
  "wire: space in a header name": wire("GET / HTTP/1.1\r\nhost : a\r\n\r\n"),
  "wire: letter beyond ASCII in a header name": header("x-\u00fc: 1"),
  "wire: NUL in a header": header("x: \0"),
  "wire: carriage return alone in a header": header("x: a\rb: c"),
  "wire: header too large": header(`x: ${"x".repeat(20_000)}`, 431),
  "wire: thousands of headers": header(Array.from({ length: 3_000 }, (_, n) => `x-${n}: ${n}`).join("\r\n"), 431),
  "wire: path too long": target(`/${"p".repeat(20_000)}`, 431),
  "wire: two keys": header("authorization: Bearer other", 401),
  "wire: length is a word": length("x"),
  "wire: length is negative": length("-1"),
  "wire: length has a plus": length("+2"),
  "wire: length is a fraction": length("2.0"),
  "wire: length is hexadecimal": length("0x2"),
  "wire: length is a list": length("2, 2"),
  "wire: length beyond all lengths": length("9".repeat(30)),
  "wire: length shorter than the body": length("1"),
  "wire: length of a body that is too large": wire(
    // All of it: the server waits ten seconds for what is missing.
    `${create}content-length: 9999999\r\n\r\n${" ".repeat(9_999_999)}`,
    413,
  ),
  "wire: two lengths": wire(`${create}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`),
  "wire: length and chunks": wire(`${create}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
  "wire: chunks in chunks": wire(`${create}transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n`),
  "wire: another encoding than chunks": wire(`${create}transfer-encoding: gzip\r\n\r\n{}`),
  "wire: chunks that are not the last encoding": wire(`${create}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`),
  "wire: chunk size is a word": chunked("zz\r\n{}\r\n0\r\n\r\n"),
  "wire: chunk size is negative": chunked("-2\r\n{}\r\n0\r\n\r\n"),
  "wire: chunk size is hexadecimal with a prefix": chunked("0x2\r\n{}\r\n0\r\n\r\n"),
  "wire: chunk size beyond all sizes": chunked("fffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
  "wire: chunk longer than its size": chunked("1\r\n{}\r\n0\r\n\r\n"),
  "wire: chunk without an end of line": chunked("2\r\n{}0\r\n\r\n"),
  "wire: chunks of no JSON": chunked("1\r\n{\r\n0\r\n\r\n"),
  "wire: chunk extensions without end": chunked(`2;x=${"y".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`, 413),
  "wire: chunk trailers without end": chunked(`2\r\n{}\r\n0\r\nx: ${"y".repeat(40_000)}\r\n\r\n`, 431),
  "wire: CONNECT": wire("CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n", 405),
  "wire: unknown expectation": header("expect: magic", 417),
  "wire: OPTIONS *": wire("OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"),
};
