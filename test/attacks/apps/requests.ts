import type { Attack } from "../attack.ts";

type Headers = readonly (readonly [string, string])[];

/** A request to the endpoint of Slack, signed unless `headers` changes that. */
export interface HostileAppRequest extends Attack {
  readonly body: string;
  readonly method?: string;
  readonly query?: string;
  /** The header of the time, which is signed. */
  readonly time?: string;
  /** The headers in place of the right ones; `hmac` in hex. */
  readonly headers?: (own: Headers, hmac: string) => Headers;
  readonly status: number;
  /** Runs that it starts. Default: 0. */
  readonly runs?: number;
}

const event = (event: object, more: object = {}): string =>
  JSON.stringify({ type: "event_callback", team_id: "T1", event, ...more });
const plain = event({ type: "message", channel: "C1", text: "hostile" });
const signature =
  (make: (hmac: string) => string) =>
  (own: Headers, hmac: string): Headers =>
    own.map(([name, value]) => [name, name === "x-slack-signature" ? make(hmac) : value] as const);
const challenge = (text: string): string => JSON.stringify({ type: "url_verification", challenge: text });

type Row = Omit<HostileAppRequest, "class" | "promise">;

const unsigned: readonly Row[] = [
  { id: "no-signature", body: plain, headers: (own) => own.slice(0, 2), status: 401 },
  { id: "short-signature", body: plain, headers: signature((hmac) => `v0=${hmac.slice(0, -2)}`), status: 401 },
  { id: "long-signature", body: plain, headers: signature((hmac) => `v0=${hmac}${hmac}`), status: 401 },
  { id: "empty-signature", body: plain, headers: signature(() => "v0="), status: 401 },
  { id: "other-alphabet", body: plain, headers: signature((hmac) => `v0=${hmac.slice(1)}g`), status: 401 },
  { id: "no-prefix", body: plain, headers: signature((hmac) => hmac), status: 401 },
  { id: "other-version", body: plain, headers: signature((hmac) => `v1=${hmac}`), status: 401 },
  { id: "many-signatures", body: plain, headers: signature((hmac) => `v0=0,v0=${hmac}`), status: 401 },
  {
    id: "two-headers",
    body: plain,
    headers: (own, hmac) => [...own, ["X-Slack-Signature", `v0=${hmac}`]],
    status: 401,
  },
  { id: "two-times", body: plain, headers: (own) => [...own, ["X-Slack-Request-Timestamp", "1"]], status: 401 },
  {
    id: "no-time",
    body: plain,
    headers: (own) => own.filter(([name]) => name !== "x-slack-request-timestamp"),
    status: 401,
  },
  { id: "stale", body: plain, time: "1795190099", status: 401 },
  { id: "future", body: plain, time: "1795190701", status: 401 },
  { id: "negative-time", body: plain, time: "-1795190400", status: 401 },
  { id: "huge-time", body: plain, time: "9".repeat(400), status: 401 },
  { id: "time-as-expression", body: plain, time: "1.7951904e9", status: 401 },
  { id: "unsigned-challenge", body: challenge("hostile"), headers: (own) => own.slice(0, 2), status: 401 },
  { id: "get-with-challenge", body: "", method: "GET", query: "?challenge=hostile", headers: () => [], status: 401 },
];

const signedOnes: readonly Row[] = [
  { id: "challenge-with-line-breaks", body: challenge("a\r\nset-cookie: hostile"), status: 400 },
  { id: "long-challenge", body: challenge("a".repeat(2_000)), status: 400 },
  { id: "challenge-with-markup", body: challenge("<script>hostile</script>"), status: 200 },
  { id: "no-json", body: "hostile", status: 400 },
  { id: "json-list", body: "[]", status: 400 },
  {
    id: "deep-json",
    body: `{"type":"event_callback","event":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    status: 400,
  },
  { id: "event-without-type", body: event({ text: "hostile" }), status: 400 },
  { id: "huge-channel", body: event({ type: "message", channel: "C".repeat(100_000) }), status: 500 },
  {
    id: "ten-thousand-addresses",
    body: event(
      { type: "message", channel: "D1", channel_type: "im" },
      { authorizations: Array.from({ length: 10_000 }, (_, n) => ({ user_id: `U${n}` })) },
    ),
    status: 500,
  },
  { id: "prototype-names", body: event({ type: "__proto__", channel: "constructor" }), status: 200, runs: 1 },
  { id: "other-team", body: event({ type: "message", channel: "C1" }, { team_id: "T2" }), status: 200 },
];

/** Hostile requests at an app's endpoint. */
export const hostileAppRequests: readonly HostileAppRequest[] = [...unsigned, ...signedOnes].map((row) => ({
  ...row,
  id: `app-${row.id}`,
  class: "requests",
  promise: "requests-proven",
}));
