import type { Attack } from "../attack.ts";

/** The response of a component, as code; the client must get one response, without the headers in `absent`. */
export interface HostileAnswer extends Attack {
  readonly answer: string;
  readonly absent: readonly string[];
}

const header = (name: string, value: string): string =>
  `{ status: 200, headers: { ${JSON.stringify(name)}: ${JSON.stringify(value)} }, body: "x" }`;
/** Bypasses the checks of the prelude. */
const unchecked = `RegExp.prototype.test = () => false; RegExp.prototype.exec = () => null; Array.prototype.includes = () => false;`;

const origin = [
  "service-worker-allowed",
  "clear-site-data",
  "strict-transport-security",
  "alt-svc",
  "nel",
  "report-to",
];
const more = ["reporting-endpoints", "origin-agent-cluster", "speculation-rules", "public-key-pins", "expect-ct"];
const framing = ["transfer-encoding", "content-length", "connection", "keep-alive", "upgrade", "te", "trailer"];
const proxies = ["proxy-authenticate", "proxy-connection", "proxy-authorization"];

const rows: readonly (readonly [id: string, answer: string, absent: readonly string[]])[] = [
  ...[...origin, ...more].map((name): [string, string, string[]] => [name, header(name, "forged"), [name]]),
  ...[...framing, ...proxies].map((name): [string, string, string[]] => [
    name,
    header(name, "forged"),
    [`${name}=forged`],
  ]),
  ...["Service-Worker-Allowed", "CLEAR-SITE-DATA"].map((name): [string, string, string[]] => [
    `case-${name}`,
    header(name, "/"),
    [name.toLowerCase()],
  ]),
  ["split", header("x-a", "1\r\nforged: 1"), ["forged"]],
  ["split-unchecked", `(() => { ${unchecked} return ${header("x-a", "1\r\nforged: 1\r\n\r\n<html>")} })()`, ["forged"]],
  ["split-name", `(() => { ${unchecked} return ${header("x-a: 1\r\nforged", "1")} })()`, ["forged"]],
  ["split-array", `{ status: 200, headers: { "x-a": ["1", "2\\r\\nforged: 1"] } }`, ["forged"]],
  [
    "split-object",
    `{ status: 200, headers: { "x-a": { n: 0, toString() { return this.n++ ? "1\\r\\nforged: 1" : "1" } } } }`,
    ["forged"],
  ],
  ["split-unicode", header("x-a", "1\u010d\u010aforged: 1"), ["forged"]],
  [
    "named-by-connection",
    `(() => { ${unchecked} return { status: 200, headers: { connection: "x-a", "x-a": "1" } } })()`,
    ["x-a"],
  ],
  ["status-100", `(() => { ${unchecked} return { status: 100 } })()`, []],
  ["status-101", `(() => { ${unchecked} return { status: 101, headers: { upgrade: "x" } } })()`, ["upgrade"]],
  ["status-text", `{ status: "200 OK\\r\\nforged: 1" }`, ["forged"]],
  ["status-huge", `{ status: 99999 }`, []],
  ["body-in-204", `{ status: 204, body: "HTTP/1.1 200 OK\\r\\n\\r\\n" }`, []],
  ["body-in-304", `{ status: 304, body: "HTTP/1.1 200 OK\\r\\n\\r\\n" }`, []],
  ["body-too-large", `{ status: 200, body: new Uint8Array(33 << 20) }`, []],
  [
    "many-headers",
    `{ status: 200, headers: Object.fromEntries(Array.from({ length: 5e3 }, (_, n) => ["x-" + n, "y"])) }`,
    [],
  ],
  ["one-long-header", `{ status: 200, headers: { "x-a": "y".repeat(2e6) } }`, []],
  [
    "forged-pairs",
    `(() => { let said = { status: 200, headers: [["forged", { a: 1 }]] }; Object.prototype.toJSON = function () { const each = said ?? this; said = undefined; return each }; return { status: 200 } })()`,
    ["forged"],
  ],
];

export const hostileAnswers: readonly HostileAnswer[] = rows.map(([id, answer, absent]) => ({
  id: `answer-${id}`,
  class: "answers",
  promise: "answers-contained",
  answer,
  absent,
}));
