/**
 * `npm run bench:app-events`: one app that sends signed events at a steady rate over HTTP, each for one of many sources, and what
 * a neighbour notices: a source whose endpoint is called ten times a second. Service and senders are two processes.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { createRuntime } from "@x/runtime";
import { slackMessage } from "../packages/runtime/src/app-events/app-trial.cases.ts";
import { createApp, listen } from "../packages/server/src/index.ts";
import { quantile } from "../test/quantiles.ts";
import { machine } from "./machine.ts";
import { updatePage } from "./page.ts";

const { values } = parseArgs({
  options: {
    /** Events a second. */
    rate: { type: "string", default: "1000" },
    sources: { type: "string", default: "100" },
    seconds: { type: "string", default: "20" },
    /** Replaces the table in docs/performance.md. */
    update: { type: "boolean", default: false },
    /** The service, not the senders. */
    serve: { type: "string" },
  },
});
const [rate, sources, seconds] = [Number(values.rate), Number(values.sources), Number(values.seconds)];

/** Where the service is, and what it has run. */
interface Served {
  readonly app: string;
  readonly neighbour: string;
}

/** What the service has done. */
interface Counted {
  readonly emitted: number;
  /** Processor time of all threads. */
  readonly cpuMs: number;
}

const listener = `const slack = { type: "app", app: "slack" };
export default { name: "Listener", version: "1", dedupe: "unique",
  props: { slack, channel: "string", db: "$.service.db",
    hook: { type: "$.interface.apphook", appProp: "slack", eventNames() { return [this.channel]; } } },
  run(event) {
    this.db.set("n", (this.db.get("n") ?? 0) + 1);
    this.$emit({ text: event.text }, { id: event.event_ts, summary: event.text });
  } };`;
const neighbour = `export default { name: "Neighbour", version: "1", props: { http: "$.interface.http" },
  run({ body }) { this.$emit(body); } };`;

async function serve(folder: string): Promise<void> {
  const runtime = await createRuntime({ data: folder });
  await runtime.start();
  const service = await listen(createApp(runtime), { port: 0 });
  const { port } = new URL(service.url);
  const here = (url: string): string => `http://127.0.0.1:${port}${new URL(url).pathname}`;
  const { endpointUrl } = await runtime.putAppEndpoint({ app: "slack", secret: "slack-secret" });
  const { id } = await runtime.createAccount({ app: "slack", auth: { team_id: "T1" } });
  for (let n = 0; n < sources; n += 1)
    await runtime.deploy({
      code: listener,
      name: `listener ${n}`,
      props: { slack: { authProvisionId: id }, channel: `C${n}` },
    });
  const { source } = await runtime.deploy({ code: neighbour });
  const key = source.endpoints["http"] ?? "";
  const served: Served = {
    app: here(endpointUrl),
    neighbour: `http://127.0.0.1:${port}/in/${key.slice(key.lastIndexOf("/") + 1)}`,
  };
  process.send?.(served);
  process.on("message", async (ask) => {
    if (ask === "idle") await runtime.idle();
    const { emitted } = await runtime.stats();
    const { user, system } = process.cpuUsage();
    const answer: Counted = { emitted, cpuMs: (user + system) / 1_000 };
    process.send?.(answer);
  });
  process.once("disconnect", async () => {
    await service.close();
    await runtime.close();
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** The time until the answer, in ms. Throws unless it is 200. */
async function post(url: string, body: string, headers: { readonly [name: string]: string } = {}): Promise<number> {
  const begun = performance.now();
  const sent = request(url, { method: "POST", agent, headers: { "content-type": "application/json", ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  await once(answer, "end");
  if (answer.statusCode !== 200) throw new Error(`A request was answered with ${answer.statusCode}`);
  return performance.now() - begun;
}

function postEvent(url: string, n: number): Promise<number> {
  const event = { channel: `C${n % sources}`, channel_type: "channel", text: `message ${n}`, event_ts: `${n}` };
  const { body, headers } = slackMessage(event, { event_id: `Ev${n}` }, Math.floor(Date.now() / 1_000));
  return post(url, body, headers);
}

/** Calls `send` so many times a second, each at its time whatever the answers take; resolves with the times of the answers. */
async function atRate(perSecond: number, forMs: number, send: (n: number) => Promise<number>): Promise<number[]> {
  const begun = performance.now();
  const sent: Promise<number>[] = [];
  while (performance.now() - begun < forMs) {
    const due = ((performance.now() - begun) * perSecond) / 1_000;
    while (sent.length < due) sent.push(send(sent.length));
    await pause(2);
  }
  return Promise.all(sent);
}

const shown = (times: readonly number[]): string =>
  [0.5, 0.99].map((share) => `${quantile(times, share).toFixed(1)} ms`).join(" | ");

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "x-app-events-"));
  const args = [`--serve=${folder}`, `--sources=${sources}`];
  const service = fork(fileURLToPath(import.meta.url), args, { execArgv: process.execArgv });
  const answered = async <Answer>(): Promise<Answer> => ((await once(service, "message")) as [Answer])[0];
  const { app, neighbour: called } = await answered<Served>();
  const callNeighbour = (ms: number): Promise<number[]> => atRate(10, ms, (n) => post(called, `{"n":${n}}`));
  await atRate(rate / 10, 2_000, (n) => postEvent(app, -1 - n));
  const alone = await callNeighbour(5_000);
  service.send("idle");
  const before = await answered<Counted>();
  const begun = performance.now();
  const [events, beside] = await Promise.all([
    atRate(rate, seconds * 1_000, (n) => postEvent(app, n)),
    callNeighbour(seconds * 1_000),
  ]);
  const acceptedMs = performance.now() - begun;
  service.send("idle");
  const after = await answered<Counted>();
  const ranMs = performance.now() - begun;
  service.disconnect();
  await once(service, "exit");
  rmSync(folder, { recursive: true, force: true });
  const emitted = after.emitted - before.emitted - beside.length;
  const cpuMs = (after.cpuMs - before.cpuMs) / (emitted + beside.length);
  const perSecond = (count: number, ms: number): string => ((count * 1_000) / ms).toFixed(0);
  const lines = [
    `${machine()}; ${rate} events a second for ${seconds} s, each for one of ${sources} sources; sender and service share the machine.`,
    "",
    "| Events a second, accepted | Emitted | Processor time of an event | Answer, p50 | p99 | Neighbour alone, p50 | p99 | Neighbour beside, p50 | p99 |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    `| ${perSecond(events.length, acceptedMs)} | ${perSecond(emitted, ranMs)} | ${cpuMs.toFixed(2)} ms | ${shown(events)} | ${shown(alone)} | ${shown(beside)} |`,
  ];
  console.log(lines.join("\n"));
  if (values.update) updatePage("app-events", lines.join("\n"));
}

await (values.serve === undefined ? measure() : serve(values.serve));
