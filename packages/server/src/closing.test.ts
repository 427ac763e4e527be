import { once } from "node:events";
import { connect } from "node:net";

import { createRuntime, type Runtime } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../runtime/src/engine.cases.ts";
import { createApp } from "./app.ts";
import { listen, type Listening } from "../../http/src/node.ts";

interface Service extends AsyncDisposable {
  readonly server: Listening;
  readonly runtime: Runtime;
  readonly endpoint: string;
  readonly path: string;
  readonly headers: { readonly authorization: string };
  /** Resolves when so many runs wait for what they have asked. */
  waiting(count: number): Promise<void>;
  /** Lets them go on. */
  answer(): void;
}

/** A service whose runs ask another one, which answers when the test says so. */
async function openService(): Promise<Service> {
  const asked: ((response: Response) => void)[] = [];
  const runtime = await createRuntime({
    engine: await testEngine(),
    network: { fetch: () => new Promise((resolve) => void asked.push(resolve)) },
  });
  await runtime.start();
  const code = (name: string): string => `export default { name: "${name}", version: "1",
    props: { http: { type: "$.interface.http", customResponse: true } },
    async run(event) {
      if (event.text) return this.$emit(event.text.repeat(500_000));
      await fetch("http://other.example/");
      if (event.method) this.http.respond({ status: 201, body: "done" });
    } }`;
  const [{ source }, { source: other }] = [
    await runtime.deploy({ code: code("One") }),
    await runtime.deploy({ code: code("Two") }),
  ];
  const server = await listen(createApp(runtime));
  return {
    server,
    runtime,
    endpoint: server.url + new URL(source.endpoints["http"] ?? "").pathname,
    path: `${server.url}/v1/sources/${other.id}`,
    headers: { authorization: `Bearer ${(await runtime.user()).user.apiKey}` },
    waiting: (count) => expect.poll(() => asked.length).toBe(count),
    answer: () => asked.splice(0).forEach((resolve) => resolve(new Response("ok"))),
    async [Symbol.asyncDispose]() {
      await server.close();
      await runtime.close({ drainMs: 0 });
    },
  };
}

test("a closing server finishes runs, lists and streams", async () => {
  await using service = await openService();
  const { server, runtime, endpoint, path, headers } = service;
  await runtime.invoke(path.split("/").at(-1) ?? "", { event: { text: "x" } });
  const list = await fetch(`${path}/event_summaries?expand=event`, { headers });
  const stream = await fetch(`${path}/sse?replay=1`, { headers });
  const calls = [fetch(endpoint), fetch(`${path}/run`, { method: "POST", headers })];
  await service.waiting(2);
  const closed = server.close({ drainMs: 60_000 });
  expect((await list.text()).length).toBeGreaterThan(500_000);
  expect(await stream.text()).toMatch(/\n\n$/);
  service.answer();
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual([201, 200]);
  expect(await answers[1]?.json()).toMatchObject({ data: { status: "ok" } });
  await closed;
});

test("a closing server answers a request that has already arrived", async () => {
  await using service = await openService();
  const { server } = service;
  const socket = connect(server.port, "127.0.0.1");
  const parts: Buffer[] = [];
  const ended = once(socket, "end");
  socket.on("data", (part) => parts.push(part));
  await once(socket, "connect");
  socket.write("GET /v1/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n");
  await server.close();
  await ended;
  expect(Buffer.concat(parts).toString()).toMatch(/^HTTP\/1.1 200 /);
});

test("a request that is not answered in time gets a 503 with retry-after, never a reset", async () => {
  await using service = await openService();
  const { server, endpoint, path, headers } = service;
  const calls = [fetch(endpoint), fetch(`${path}/run`, { method: "POST", headers })];
  await service.waiting(2);
  await server.close({ drainMs: 10 });
  for (const answer of await Promise.all(calls)) {
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({ code: "closed" });
  }
});
