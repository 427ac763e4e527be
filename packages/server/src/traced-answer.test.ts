import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { context, SpanKind, trace } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { testEngine } from "../../runtime/src/engine.cases.ts";
import { createApp } from "./app.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();

const traceparents: (string | undefined)[] = [];
const upstream = createServer(({ headers }, response) => {
  traceparents.push(headers["traceparent"] as string | undefined);
  response.end('["a"]');
});
let runtime: Runtime;
let ask: (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Response>;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  runtime = await createRuntime({ engine: await testEngine(), apiKey: "k", network: { mode: "allow-private" } });
  await runtime.start();
  const app = createApp(runtime);
  ask = (method, path, body, headers = {}) =>
    app.fetch(
      new Request(`http://x.test/v1${path}`, {
        method,
        headers: { authorization: "Bearer k", "content-type": "application/json", ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
});
afterAll(async () => {
  await runtime.close();
  upstream.close();
  await provider.shutdown();
  trace.disable();
  context.disable();
});
beforeEach(() => exporter.reset());

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const given = `00-${traceId}-00f067aa0ba902b7-01`;
const only = (name: string): ReadableSpan => {
  const found = exporter.getFinishedSpans().filter((span) => span.name === name);
  expect(found.map((span) => span.name)).toEqual([name]);
  return found[0] as ReadableSpan;
};
const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
const parentOf = (span: ReadableSpan): string | undefined => span.parentSpanContext?.spanId;

/** A component that asks the upstream for its choices, its props and in its run. */
function code(): string {
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/secret-path`;
  return `const list = async () => (await fetch("${url}")).json();
    export default { name: "Traced", version: "1",
      props: { board: { type: "string", optional: true, reloadProps: true, options: list } },
      async additionalProps() { await list(); return {}; },
      async run() { await list(); } };`;
}

test("a question over the interface is one trace with the component's request: choices and dynamic props", async () => {
  const { source } = await runtime.deploy({ code: code() });
  exporter.reset();
  for (const [path, entry, body] of [
    ["configure", "options", { prop_name: "board" }],
    ["props", "additionalProps", { configured_props: { board: "secret-board" } }],
  ] as const) {
    exporter.reset();
    traceparents.length = 0;
    expect((await ask("POST", `/sources/${source.id}/${path}`, body, { traceparent: given })).status).toBe(200);
    const [rest, asked, sent] = [only(`POST /v1/sources/:id/${path}`), only(entry), only("request GET")];
    expect([rest, asked, sent].map(parentOf)).toEqual(["00f067aa0ba902b7", idOf(rest), idOf(asked)]);
    expect(traceparents).toEqual([`00-${traceId}-${idOf(sent)}-01`]);
    expect([rest.kind, asked.kind]).toEqual([SpanKind.SERVER, SpanKind.INTERNAL]);
    expect(rest.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": `/v1/sources/:id/${path}`,
      "http.response.status_code": 200,
    });
    expect(asked.attributes).toEqual({ "x.component.id": source.componentId, "x.source.id": source.id });
    const shown = exporter.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, status }));
    expect(JSON.stringify(shown)).not.toContain("secret");
  }
});

test("a run over the interface is below its request; what is refused has its status, and failures their code", async () => {
  const { source } = await runtime.deploy({ code: code() });
  exporter.reset();
  await ask("POST", `/sources/${source.id}/run`, {});
  expect(parentOf(only("run"))).toBe(idOf(only("POST /v1/sources/:id/run")));
  expect(parentOf(only("POST /v1/sources/:id/run"))).toBeUndefined();
  await ask("GET", "/sources/dc_none");
  expect(only("GET /v1/sources/:id").attributes).toMatchObject({ "http.response.status_code": 404 });
  expect(only("GET /v1/sources/:id").attributes).not.toHaveProperty("error.type");
  await ask("GET", "/users/me", undefined, { authorization: "Bearer no" });
  expect(only("GET /v1/users/me").attributes).toMatchObject({ "http.response.status_code": 401 });
  exporter.reset();
  expect((await ask("GET", "/no-such-path")).status).toBe(404);
  expect(exporter.getFinishedSpans()).toEqual([]);
});

test("a question that throws has the code of its error", async () => {
  const failing = `export default { name: "Failing", version: "1", props: { a: { type: "string", optional: true,
    options() { throw new Error("secret-reason") } } }, run() {} };`;
  const { id } = await runtime.saveComponent({ code: failing });
  await ask("POST", "/components/configure", { id, prop_name: "a" });
  expect(only("options").attributes).toEqual({ "x.component.id": id, "error.type": "component_threw" });
});
