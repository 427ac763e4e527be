import type { Attack } from "../attack.ts";

/** The init argument of `fetch`, as code; the upstream must get one request, without the headers in `forged`. */
export interface Framing extends Attack {
  readonly init: string;
  readonly path?: string;
}

const header = (name: string, value: string): string =>
  `{ method: "POST", body: "x", headers: { ${JSON.stringify(name)}: ${JSON.stringify(value)} } }`;
const rows: readonly (readonly [id: string, init: string, path?: string])[] = [
  ["host", header("host", "forged.example")],
  ["content-length", header("content-length", "0")],
  ["long-content-length", header("content-length", "9999")],
  ["transfer-encoding", header("transfer-encoding", "chunked")],
  ["transfer-encoding-case", header("Transfer-Encoding", "identity, chunked")],
  ["connection", header("connection", "upgrade, x-secret")],
  ["upgrade", header("upgrade", "forged")],
  ["expect", header("expect", "100-continue")],
  ["te", header("te", "forged")],
  ["trailer", header("trailer", "forged")],
  ["keep-alive", header("keep-alive", "forged")],
  ["proxy-authorization", header("proxy-authorization", "forged")],
  ["line-break-in-value", header("x-a", "1\r\nforged: 1")],
  ["bare-line-feed", header("x-a", "1\nforged: 1")],
  ["bare-return", header("x-a", "1\rforged: 1")],
  ["nul-in-value", header("x-a", "1\0forged")],
  ["line-break-in-name", header("x-a: 1\r\nforged", "1")],
  ["colon-in-name", header("forged: x-a", "1")],
  ["space-in-name", header("forged ", "1")],
  ["empty-name", header("", "forged")],
  ["unicode-line-break", header("x-a", "1\u010d\u010aforged: 1")],
  ["method-line-break", `{ method: "GET / HTTP/1.1\\r\\nforged: 1\\r\\n\\r\\nGET" }`],
  ["method-space", `{ method: "GET /forged" }`],
  ["method-connect", `{ method: "CONNECT" }`],
  ["method-trace", `{ method: "TRACE" }`],
  ["path-line-break", `{}`, "/a\r\nforged: 1"],
  ["path-space", `{}`, "/a HTTP/1.1\r\nforged: 1\r\n\r\nGET /forged"],
  ["query-line-break", `{}`, "/?a\r\n\r\nGET /forged HTTP/1.1"],
  ["header-object", `{ headers: { "x-a": { toString: () => "1\\r\\nforged: 1" } } }`],
  [
    "header-patched-test",
    `(RegExp.prototype.test = () => false, String.prototype.includes = () => false, ${header("x-a", "1\r\nforged: 1")})`,
  ],
];

export const framings: readonly Framing[] = rows.map(([id, init, path]) => ({
  id: `framing-${id}`,
  class: "requests of components",
  promise: "requests-framed",
  init,
  ...(path !== undefined && { path }),
}));
