import { manualClock } from "@x/runtime";

import { createValidator, type Description, pointerOf } from "../conformance/described.ts";
import { apiKey, startMs, startService, type Service } from "../conformance/fixture.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { type Answered, prepareRequest, send, type Sent, Texts } from "./rest-client.ts";
import { type Step, stepsOf } from "./rest-inputs.ts";
import { firstReads, prepare } from "./rest-samples.ts";

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
        const sent = prepareRequest(step, { url: service.url, apiKey }, texts);
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
