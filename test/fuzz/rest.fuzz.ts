import { manualClock } from "@x/runtime";

import { createValidator, type Description, pointerOf } from "../conformance/described.ts";
import { apiKey, startMs, startService, type Service } from "../conformance/fixture.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { type Kind, kinds, type Known, type Step, stepsOf } from "./rest-inputs.ts";
import { firstReads, prepare } from "./rest-samples.ts";

/** Longer than any answer takes; the runtime's own limits are shorter. */
const hangMs = 60_000;

const isKnown = (value: unknown): value is Known => typeof value === "object" && value !== null && "$known" in value;

/** Texts of answers, in their order. */
class Texts {
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

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly template: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** True when the answer has other fields than the schema requires. */
  readonly selects: boolean;
}

interface Answered {
  readonly status: number;
  readonly type: string;
  /** Undefined for a stream, which does not end. */
  readonly text: string | undefined;
}

/** Undefined for a path that URLs do not have: dots go to another one. */
function prepareRequest(step: Step, url: string, texts: Texts): Sent | undefined {
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

async function send({ url, method, headers, body }: Sent): Promise<Answered> {
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

type Validators = Readonly<Record<"whole" | "partial" | "request", ReturnType<typeof createValidator>>>;

/** Throws when a body has another form than the description says. */
function checkBody({ template, method, body, headers }: Sent, status: number, validate: Validators["request"]): void {
  if (body === undefined || body === "" || (headers["content-type"] ?? "") !== "application/json") return;
  const place = pointerOf(
    "paths",
    template,
    method.toLowerCase(),
    "requestBody",
    "content",
    "application/json",
    "schema",
  );
  const problem = validate(place, JSON.parse(body.replace(/^\ufeff/, "")));
  if (problem !== undefined)
    throw new Error(`${status} for a body that is not as described: ${JSON.stringify(problem).slice(0, 800)}`);
}

/** Throws when an answer is not what the description promises; returns its JSON. */
function checkAnswer(
  sent: Sent,
  { status, type, text }: Answered,
  { paths }: Description,
  validators: Validators,
): unknown {
  const { template, method, selects } = sent;
  const operation = paths[template]?.[method.toLowerCase()];
  if (status >= 500) throw new Error(`${status}: ${text}`);
  const response = operation?.responses[status];
  if (!response) throw new Error(`status ${status} is not in the description: ${text}`);
  const described = Object.keys(response.content ?? {}).join();
  if (described !== type) throw new Error(`${status} is ${type}, described as ${described}`);
  if (status < 300 && operation?.requestBody) checkBody(sent, status, validators.request);
  if (type !== "application/json" || text === undefined) return undefined;
  const json: unknown = JSON.parse(text);
  const place = pointerOf(
    "paths",
    template,
    method.toLowerCase(),
    "responses",
    String(status),
    "content",
    type,
    "schema",
  );
  const problem = validators[selects && status < 300 ? "partial" : "whole"](place, json);
  if (problem !== undefined)
    throw new Error(`${status} ${text.slice(0, 500)} is not as described: ${JSON.stringify(problem).slice(0, 800)}`);
  const code = status < 400 ? undefined : (json as { readonly code: string }).code;
  if (code !== undefined && !response.description.includes(`\`${code}\``))
    throw new Error(`${status} ${code} is not in the description: ${text}`);
  return json;
}

const start = (): Promise<Service> => {
  const clock = manualClock(startMs);
  return startService(
    {
      clock,
      packages: false,
      network: { fetch: async () => new Response("{}") },
      limits: { runTimeoutMs: 10_000, hookTimeoutMs: 5_000 },
    },
    { app: { clock } },
  );
};

async function readDescription(): Promise<Description> {
  await using service = await start();
  return (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as Description;
}

async function openTarget() {
  const description = await readDescription();
  const validators = {
    whole: createValidator(description, "whole"),
    partial: createValidator(description, "partial"),
    request: createValidator(description, "request"),
  };
  return defineTarget<readonly Step[]>({
    arbitrary: stepsOf(description),
    async property(steps) {
      await using service = await start();
      await prepare(service);
      const texts = new Texts();
      for (const path of firstReads) texts.harvest((await service.call("GET", path)).body);
      for (const [index, step] of steps.entries()) {
        const sent = prepareRequest(step, service.url, texts);
        if (!sent) continue;
        try {
          texts.harvest(checkAnswer(sent, await send(sent), description, validators));
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new Error(
            `step ${index}, ${sent.method} ${sent.url.slice(0, 300)} ${sent.body?.slice(0, 300) ?? ""}: ${reason}`,
            { cause: error },
          );
        }
      }
      const { status } = await fetch(`${service.url}/healthz`);
      if (status !== 200) throw new Error(`health is ${status} afterwards`);
    },
  });
}

export const restFuzzer: Fuzzer = {
  name: "rest",
  about: "every answer of the REST interface is one that its OpenAPI document describes",
  runs: 40,
  open: openTarget,
};
