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

/** Path and query as the client sent them. */
function targetOf({ url = "", path = "/" }: RequestEvent): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.pathname + parsed.search : path;
}

/** A request as HTTP writes it. */
export function requestText(event: RequestEvent): string {
  const headers = Object.entries(event.headers ?? {}).flatMap(([name, value]) =>
    valuesOf(value).map((text) => `${name}: ${text}`),
  );
  return [`${event.method ?? "GET"} ${targetOf(event)} HTTP/1.1`, ...headers, "", event.bodyRaw ?? ""].join("\r\n");
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
