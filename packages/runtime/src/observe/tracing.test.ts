import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { context, SpanKind, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";

import { componentText, makeFolder, openTrial, removeFolders, runText, type Trial } from "../runtime.cases.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
afterAll(async () => {
  await provider.shutdown();
  trace.disable();
  context.disable();
});
beforeEach(() => exporter.reset());

const cleanups: (() => unknown)[] = [removeFolders];
afterEach(async () => {
  for (const cleanup of cleanups.splice(1).toReversed()) await cleanup();
  cleanups[0]?.();
});

interface Service {
  readonly url: string;
  readonly headers: IncomingHttpHeaders[];
}

/** A service on loopback that answers with these statuses in turn, then with 200. */
async function service(...statuses: number[]): Promise<Service> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    headers.push(request.headers);
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path?token=secret-query`, headers };
}

async function open(options: Parameters<typeof openTrial>[0] = {}, at?: number): Promise<Trial> {
  const trial = await openTrial({ network: { mode: "allow-private" }, ...options }, at);
  cleanups.push(() => trial.runtime.close());
  return trial;
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const given = `00-${traceId}-00f067aa0ba902b7-01`;

const spans = (name: string): readonly ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.name === name);
const only = (name: string): ReadableSpan => {
  const [span, ...others] = spans(name);
  if (!span || others.length > 0) throw new Error(`${others.length + (span ? 1 : 0)} spans are called ${name}`);
  return span;
};
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;
const tracesOf = (found: readonly ReadableSpan[]): Set<string> =>
  new Set(found.map((span) => span.spanContext().traceId));
const headerOf = (span: ReadableSpan): string => `00-${span.spanContext().traceId}-${idOf(span)}-01`;

const http = `props: { http: "$.interface.http", key: { type: "string", secret: true, optional: true } },`;

it("a request, its run, the run's request, the commit and the delivery are one trace, end to end", async () => {
  const [upstream, receiver] = [await service(), await service()];
  const trial = await open({ data: makeFolder() });
  const code = componentText(
    `${http} async run(event) { await fetch("${upstream.url}", { method: "POST" }); this.$emit({ secret: "secret-event" }); },`,
  );
  const view = await trial.deploy(code, { key: "secret-prop" });
  const webhook = await trial.runtime.createWebhook({ url: receiver.url });
  await trial.runtime.subscribe({ emitterId: view.source.id, listenerId: webhook.id });
  await trial.hit(view, { text: '"secret-body"', headers: [["Traceparent", given]] });
  await trial.runtime.idle();

  const all = exporter.getFinishedSpans();
  expect(tracesOf(all)).toEqual(new Set([traceId]));
  const [ingress, queue, run] = [only("request to endpoint"), only("queue"), only("run")];
  const [request, commit, delivery] = [only("request POST"), only("commit"), only("delivery")];
  expect(parentOf(ingress)).toBe("00f067aa0ba902b7");
  expect([parentOf(queue), parentOf(run)]).toEqual([idOf(ingress), idOf(ingress)]);
  expect([request, commit, delivery].map(parentOf)).toEqual([idOf(run), idOf(run), idOf(run)]);
  expect([ingress, run, request, delivery].map(({ kind }) => kind)).toEqual([
    SpanKind.SERVER,
    SpanKind.CONSUMER,
    SpanKind.CLIENT,
    SpanKind.CLIENT,
  ]);
  expect(upstream.headers.map(({ traceparent }) => traceparent)).toEqual([headerOf(request)]);
  expect(receiver.headers.map(({ traceparent }) => traceparent)).toEqual([headerOf(delivery)]);
  expect(run.attributes).toMatchObject({
    "x.source.id": view.source.id,
    "x.status": "ok",
    "x.emitted": 1,
    "x.type": "HTTP",
  });
  expect(delivery.attributes).toMatchObject({ "x.webhook.id": webhook.id, "x.attempt": 1 });
  // Paths, queries, bodies, events and props stay out.
  const shown = all.map(({ name, attributes, status, events }) => ({ name, attributes, status, events }));
  expect(JSON.stringify(shown)).not.toContain("secret");
});

it("a trace goes on over a restart, to deliveries and to sources that listen", async () => {
  const receiver = await service(503);
  const data = makeFolder();
  const first = await open({ data });
  const emitter = await first.deploy(componentText(`${http} run() { this.$emit(1); },`));
  const listener = await first.deploy(runText("this.$emit(event);"));
  const webhook = await first.runtime.createWebhook({ url: receiver.url });
  for (const listenerId of [webhook.id, listener.source.id])
    await first.runtime.subscribe({ emitterId: emitter.source.id, listenerId });
  await first.hit(emitter, { headers: [["traceparent", given]] });
  await first.runtime.idle();
  await first.runtime.close();
  expect(spans("run").map(({ attributes }) => attributes["x.type"])).toEqual(["HTTP", "SUBSCRIPTION"]);
  expect(only("delivery").attributes).toMatchObject({ "http.response.status_code": 503, "error.type": "503" });

  const second = await open({ data }, first.clock.now());
  await second.advance(60_000);
  const [failed, delivered] = spans("delivery");
  expect(receiver.headers).toHaveLength(2);
  expect(delivered?.attributes).toMatchObject({ "http.response.status_code": 200, "x.attempt": 2 });
  expect(parentOf(failed as ReadableSpan)).toBe(parentOf(delivered as ReadableSpan));
  expect(tracesOf(exporter.getFinishedSpans())).toEqual(new Set([traceId]));
});

it("an invalid traceparent is ignored, and requests without one begin traces of their own", async () => {
  const trial = await open();
  const view = await trial.deploy(componentText(`${http} run() {},`));
  for (const headers of [
    [["traceparent", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`]],
    [["traceparent", "x"]],
    [],
  ] as const)
    await trial.hit(view, { headers: headers.map(([name, value]): [string, string] => [name ?? "", value ?? ""]) });
  await trial.runtime.idle();
  const roots = spans("request to endpoint");
  expect(roots.map(parentOf)).toEqual([undefined, undefined, undefined]);
  expect(tracesOf(roots).size).toBe(3);
  expect(tracesOf(spans("run"))).toEqual(tracesOf(roots));
});

it("what the client decided about sampling holds for the whole trace", async () => {
  const upstream = await service();
  const trial = await open();
  const view = await trial.deploy(componentText(`${http} async run() { await fetch("${upstream.url}"); },`));
  await trial.hit(view, { headers: [["traceparent", given.replace(/01$/, "00")]] });
  await trial.runtime.idle();
  expect(exporter.getFinishedSpans()).toEqual([]);
  expect(upstream.headers[0]?.["traceparent"]).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
});

it("runs by hand and hooks are part of the caller's active span; ticks begin traces", async () => {
  const trial = await open();
  const tracer = trace.getTracer("embedder");
  const timer = `timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }`;
  await tracer.startActiveSpan("mine", async (mine) => {
    const { source } = await trial.deploy(componentText(`props: { ${timer} }, hooks: { deploy() {} }, run() {},`));
    await trial.runtime.invoke(source.id);
    mine.end();
  });
  const mine = only("mine");
  expect([only("hook deploy"), only("run")].map(parentOf)).toEqual([idOf(mine), idOf(mine)]);
  await trial.advance(60_000);
  const tick = spans("run")[1];
  expect(tick && parentOf(tick)).toBeUndefined();
  expect(tick?.spanContext().traceId).not.toBe(mine.spanContext().traceId);
});

it("a handler runs in the context of its span, and its replay in the one of its caller", async () => {
  const trial = await open();
  const tracer = trace.getTracer("embedder");
  const handler = (): void => tracer.startSpan("own").end();
  const { id } = await trial.runtime.workflow({ name: "Flow", handler });
  const source = await trial.deploy(runText("this.$emit(1);"));
  await trial.runtime.subscribe({ emitterId: source.source.id, listenerId: id });
  await trial.runtime.invoke(source.source.id);
  await trial.runtime.idle();
  const [, handled] = spans("run");
  expect(parentOf(only("own"))).toBe(handled && idOf(handled));
  expect(tracesOf([only("own"), ...spans("run")]).size).toBe(1);
  exporter.reset();

  const executionId = handled?.attributes["x.execution.id"] as string;
  await tracer.startActiveSpan("mine", async (mine) => {
    await trial.runtime.replay(executionId);
    mine.end();
  });
  expect(parentOf(only("run"))).toBe(idOf(only("mine")));
});

it("a request of another user's component begins a trace of its own; one of the same user's goes on", async () => {
  const trial = await open();
  const other = await trial.runtime.addUser({ username: "other" });
  const target = await trial.deploy(componentText(`${http} run() {},`, "Target"));
  const [url = ""] = Object.values(target.source.endpoints);
  const calling = componentText(`async run() { await fetch("${url}", { method: "POST", body: "x" }); },`, "Caller");
  const own = await trial.deploy(calling);
  await trial.runtime.invoke(own.source.id);
  await trial.runtime.idle();
  expect(tracesOf(exporter.getFinishedSpans()).size).toBe(1);
  exporter.reset();

  const foreign = await trial.runtime.as(other.id).deploy({ code: calling });
  await trial.runtime.as(other.id).invoke(foreign.source.id);
  await trial.runtime.idle();
  const sourceOf = (id: string): readonly ReadableSpan[] =>
    exporter.getFinishedSpans().filter(({ attributes }) => attributes["x.source.id"] === id);
  const [theirs, ours] = [tracesOf(sourceOf(foreign.source.id)), tracesOf(sourceOf(target.source.id))];
  expect([theirs.size, ours.size]).toEqual([1, 1]);
  expect([...ours].filter((id) => theirs.has(id))).toEqual([]);
});

it("failures have their code, and a traceparent of the component itself stays", async () => {
  const upstream = await service(500);
  const trial = await open();
  const code = runText(
    `await fetch("${upstream.url}", { headers: { traceparent: "${given}" } }); await fetch("http://127.0.0.1:1/").catch(() => 0);
     throw new Error("secret-message");`,
  );
  const { source } = await trial.deploy(code);
  await trial.runtime.invoke(source.id);
  expect(upstream.headers[0]?.["traceparent"]).toBe(given);
  expect(spans("request GET").map(({ attributes }) => attributes["error.type"])).toEqual(["500", "network_failed"]);
  expect(only("run").attributes).toMatchObject({ "x.status": "error", "error.type": "component_threw" });
  expect(JSON.stringify(only("run").status)).not.toContain("secret");
});

it("an SDK that throws fails no run, and is logged once", async () => {
  const failing = (): never => {
    throw new Error("processor");
  };
  const processor = { onStart: failing, onEnd: failing, forceFlush: failing, shutdown: () => Promise.resolve() };
  trace.disable();
  new NodeTracerProvider({ spanProcessors: [processor] }).register();
  cleanups.push(() => {
    trace.disable();
    trace.setGlobalTracerProvider(provider);
  });
  const logged: string[] = [];
  const logger = { info() {}, warn() {}, error: (message: string) => void logged.push(message) };
  const upstream = await service();
  const trial = await open({ logger });
  const view = await trial.deploy(
    componentText(`${http} async run() { await fetch("${upstream.url}"); this.$emit(1); },`),
  );
  await trial.hit(view, { headers: [["traceparent", given]] });
  await trial.runtime.idle();
  expect(await trial.payloads(view.source.id)).toEqual([1]);
  expect(upstream.headers.map(({ traceparent }) => traceparent)).toEqual([given]);
  expect(logged).toEqual(["a span could not be made; further ones are not logged"]);
});
