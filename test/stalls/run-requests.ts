import { type Description, readDescription } from "../conformance/described.ts";
import { createRandom } from "../faults/random.ts";
import { apiKey, ask, startService } from "../faults/service.child.ts";
import { type HoldLine, holdLines } from "../faults/thread-holds.ts";
import { prepareRequest, send, Texts } from "../fuzz/rest-client.ts";
import { codes, firstReads } from "../fuzz/rest-samples.ts";
import { largeRequests } from "./large-requests.ts";

export interface RequestsOptions {
  /** An empty folder. */
  readonly data: string;
  readonly count: number;
  readonly seed: number;
  readonly report?: (line: string) => void;
}

export interface RequestsReport {
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Bytes of the largest body. */
  readonly largestBody: number;
  /** Answers that are errors of the service. */
  readonly failures: readonly string[];
  /** What held the main thread, each with the request before. */
  readonly holds: readonly (HoldLine & { readonly after: string })[];
}

const args = ["--packages", "off", "--run-timeout", "2s"];
const kept = 100;

/** What exists before the first request. */
async function prepare(url: string): Promise<void> {
  const body = { component_code: codes[1], configured_props: { timer: { intervalSeconds: 3_600 } } };
  const { data: source } = await ask<{ data: { id: string } }>(url, "POST", "/sources", body);
  await ask(url, "POST", "/accounts", { app: "acme", name: "Work", auth: { key: "k" } });
  const hook = { url: "http://127.0.0.1:1/", name: "Archive" };
  const { data: webhook } = await ask<{ data: { id: string } }>(url, "POST", "/webhooks", hook);
  await ask(url, "POST", "/subscriptions", { emitter_id: source.id, listener_id: webhook.id, event_name: "" });
  await ask(url, "POST", `/sources/${source.id}/run`, { event: { id: 7, fail: true } });
}

/** The beginning and the length of each member of a body. */
const membersOf = (body: string): string =>
  Object.entries(JSON.parse(body) as object)
    .map(([name, value]) => [name, JSON.stringify(value)] as const)
    .map(([name, text]) => `${name}: ${text.slice(0, kept)} (${text.length} characters)`)
    .join(", ");

/** Sends large requests one after the other to a service of its own, which says in its log when one held it. */
export async function runLargeRequests({ data, count, seed, report }: RequestsOptions): Promise<RequestsReport> {
  const service = await startService(data, { args, mayHold: true });
  const { url } = service;
  const description: Description = await readDescription(url);
  await prepare(url);
  const texts = new Texts();
  for (const path of firstReads) texts.harvest(await ask(url, "GET", path));
  const next = largeRequests(description, createRandom(seed));
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const holds: (HoldLine & { readonly after: string })[] = [];
  let largestBody = 0;
  const listen = (after: string): void =>
    void holds.push(
      ...holdLines(service.log())
        .slice(holds.length)
        .map((line) => ({ ...line, after })),
    );
  let sent = "";
  for (let number = 1; number <= count; number += 1) {
    const request = prepareRequest(next(), { url, apiKey }, texts);
    if (!request) continue;
    listen(sent);
    sent = `request ${number}, ${request.method} ${request.template} ${membersOf(request.body ?? "{}")}`;
    largestBody = Math.max(largestBody, request.body?.length ?? 0);
    const { status, text = "" } = await send(request);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 500) failures.push(`status 500; ${sent}: ${text.slice(0, kept)}`);
    if (status < 300 && !request.template.endsWith(".json") && text.startsWith("{") && text.length < 1024 * 1024)
      texts.harvest(JSON.parse(text));
    if (number % 100 === 0) report?.(`${number} requests: ${JSON.stringify(statuses)}`);
  }
  await service.kill("SIGTERM");
  listen(sent);
  return { statuses, largestBody, failures, holds };
}
