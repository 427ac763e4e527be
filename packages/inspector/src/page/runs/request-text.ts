import type { ExecutionDetail } from "@x/client";

export type ReceivedRequest = NonNullable<ExecutionDetail["request"]>;

/** The event of a run that a request made. */
export interface RequestEvent {
  readonly method?: string;
  readonly path?: string;
  readonly url?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly bodyRaw?: string;
  /** The bytes of a body that is not text. */
  readonly body_b64?: string;
  readonly client_ip?: string;
}

const valuesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String);

/** The request in an event: what a replay gives to the component. */
export function requestOf({ method, url = "", path, headers, bodyRaw, body_b64 }: RequestEvent): ReceivedRequest {
  const parsed = URL.parse(url);
  return {
    method: method ?? "GET",
    target: parsed ? parsed.pathname + parsed.search : (path ?? "/"),
    http_version: null,
    headers: Object.entries(headers ?? {}).flatMap(([name, value]) =>
      valuesOf(value).map((text) => [name, text] as const),
    ),
    ...(body_b64 === undefined ? { body: bodyRaw ?? "" } : { body_base64: body_b64 }),
  };
}

/** A request as HTTP writes it; bytes that are no text in hexadecimal. */
export function requestText({ method, target, http_version, headers, body, body_base64 }: ReceivedRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const shown = body_base64 === undefined ? (body ?? "") : hexLines(body_base64).join("\n");
  return [`${method} ${target} HTTP/${http_version ?? "1.1"}`, ...lines, "", shown].join("\r\n");
}

/** Bytes as lines of sixteen in hexadecimal, with their text. */
export function hexLines(base64: string): string[] {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCodePoint(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines;
}
