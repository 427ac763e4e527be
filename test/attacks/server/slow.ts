import type { Attack } from "../attack.ts";

/** A client that sends some bytes, and then as few as possible until it is disconnected. */
export interface SlowClient extends Attack {
  readonly begin: string;
  /** Sent repeatedly. */
  readonly drip: string;
}

const auth = "authorization: Bearer KEY\r\nhost: x\r\n";
const post = (length: string): string =>
  `POST /v1/sources HTTP/1.1\r\n${auth}content-type: application/json\r\n${length}\r\n\r\n`;
const rows: readonly (readonly [id: string, begin: string, drip: string])[] = [
  ["nothing", "", ""],
  ["half-a-line", "GET /heal", ""],
  ["half-a-header", `GET /healthz HTTP/1.1\r\nhost: x\r\nx: `, ""],
  ["header-by-bytes", `GET /healthz HTTP/1.1\r\nhost: x\r\nx: `, "y"],
  ["headers-by-lines", `GET /healthz HTTP/1.1\r\nhost: x\r\n`, "x: y\r\n"],
  ["no-body", post("content-length: 100"), ""],
  ["body-by-bytes", post("content-length: 1000000"), " "],
  ["chunks-by-bytes", post("transfer-encoding: chunked"), "1\r\n \r\n"],
  ["endpoint-body-by-bytes", `POST IN HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n`, "x"],
  ["endpoint-no-body", `POST IN HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`, ""],
  ["idle-after-answer", `GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`, ""],
  ["empty-lines", "", "\r\n"],
];

export const slowClients: readonly SlowClient[] = rows.map(([id, begin, drip]) => ({
  id: `slow-${id}`,
  class: "slow clients",
  promise: "requests-checked",
  begin,
  drip,
}));
