import { type Kind, kinds, type Known, type Step } from "./rest-inputs.ts";

/** Longer than any answer takes; the runtime's own limits are shorter. */
const hangMs = 60_000;

const isKnown = (value: unknown): value is Known => typeof value === "object" && value !== null && "$known" in value;

/** Texts of answers, in their order. */
export class Texts {
  readonly #found = new Set<string>();

  harvest(value: unknown): void {
    if (typeof value === "string") {
      if (value.length > 0 && value.length < 200) this.#found.add(value);
    } else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) this.harvest(each);
  }

  find(kind: Kind, n: number): string {
    const fitting = [...this.#found].filter((text) => kinds[kind].test(text));
    return fitting[n % fitting.length] ?? "none";
  }

  /** The value with known texts in place. */
  fill(value: unknown): unknown {
    if (isKnown(value)) return this.find(value.$known, value.n);
    if (Array.isArray(value)) return value.map((each) => this.fill(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.fill(each)]));
  }

  text(value: unknown): string {
    const filled = this.fill(value);
    return (typeof filled === "string" ? filled : (JSON.stringify(filled) ?? "")).toWellFormed();
  }
}

export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly template: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** True when the answer has other fields than the schema requires. */
  readonly selects: boolean;
}

export interface Answered {
  readonly status: number;
  readonly type: string;
  /** Undefined for a stream, which does not end. */
  readonly text: string | undefined;
}

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

/** Undefined for a path that URLs do not have: dots go to another one. */
export function prepareRequest(step: Step, { url, apiKey }: Target, texts: Texts): Sent | undefined {
  const [method = "", template = ""] = step.operation.split(" ");
  const values = Object.entries(step.path).map(([name, value]): [string, string] => [name, texts.text(value)]);
  if (values.some(([, value]) => value === "" || /^\.\.?$/.test(value))) return undefined;
  const path = values.reduce(
    (made, [name, value]) => made.replace(`{${name}}`, () => encodeURIComponent(value)),
    template,
  );
  const query = new URLSearchParams(
    step.query.map(([name, value]): [string, string] => [name.toWellFormed(), texts.text(value)]),
  ).toString();
  const { body } = step;
  const hasBody = body !== undefined && method !== "GET";
  const text = !hasBody ? undefined : "text" in body ? body.text.toWellFormed() : JSON.stringify(texts.fill(body.json));
  const lastEventId = step.lastEventId === undefined ? "" : texts.text(step.lastEventId);
  return {
    url: `${url}/v1${path}?${query}`,
    method,
    template,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(hasBody && { "content-type": "application/json" }),
      ...(/^[\x21-\x7e]+$/.test(lastEventId) && { "last-event-id": lastEventId }),
      ...step.headers,
    },
    body: text,
    selects: /include|exclude/.test(query) || /"(?:include|exclude)"/.test(text ?? ""),
  };
}

export async function send({ url, method, headers, body }: Sent): Promise<Answered> {
  const stop = new AbortController();
  const hang = setTimeout(() => stop.abort(new Error(`no answer after ${hangMs} ms`)), hangMs);
  try {
    const response = await fetch(url, { method, headers, signal: stop.signal, ...(body !== undefined && { body }) });
    const type = response.headers.get("content-type")?.replace(/;.*/, "") ?? "";
    const isStream = type === "text/event-stream";
    const text = isStream ? undefined : await response.text();
    return { status: response.status, type, text };
  } finally {
    clearTimeout(hang);
    stop.abort();
  }
}
