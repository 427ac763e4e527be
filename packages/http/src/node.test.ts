import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Agent, request, type Server, ServerResponse } from "node:http";
import { connect } from "node:net";

import { expect, onTestFinished, test, vi } from "vitest";

import { type Answer, jsonAnswer, streamAnswer, toResponse } from "./answer.ts";
import type { Handler } from "./handler.ts";
import { refusal } from "./failure.ts";
import { listen } from "./node.ts";

/** An app that answers what the function says. */
function appOf(answer: (request: Request) => Answer | Promise<Answer>): Handler & { drained: boolean } {
  return {
    drained: false,
    answer: async (incoming) => await answer(incoming),
    fetch: async (incoming) => toResponse(incoming.method, await answer(incoming)),
    drain() {
      this.drained = true;
    },
  };
}

test("status, headers and body are sent unchanged, repeated headers separately", async () => {
  const headers = [
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
    ["x-one", "1"],
  ] as const;
  await using server = await listen(appOf(() => ({ status: 418, headers, body: Uint8Array.of(0, 255) })));
  const response = await fetch(server.url);
  expect([response.status, response.headers.getSetCookie(), response.headers.get("x-one")]).toEqual([
    418,
    ["a=1", "b=2"],
    "1",
  ]);
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255]);
});

test.each([
  ["HTTP/1.0 without Host", "GET /healthz HTTP/1.0\r\n\r\n"],
  ["an OPTIONS of HTTP/1.0", "OPTIONS /healthz HTTP/1.0\r\n\r\n"],
  ["HTTP/1.1 without Host", "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n"],
  ["an empty Host", "POST /healthz HTTP/1.1\r\nhost:\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"],
])("S40 a request without authority is served, under the socket's address: %s", async (_, head) => {
  const seen: (string | null)[] = [];
  await using server = await listen(
    appOf((request) => {
      seen.push(request.url, request.headers.get("host") || null);
      return jsonAnswer(200, {});
    }),
  );
  const socket = connect(server.port, "127.0.0.1").end(head);
  expect(String(Buffer.concat(await socket.toArray()))).toMatch(/^HTTP\/1\.1 200 /);
  expect(seen).toEqual([`http://127.0.0.1:${server.port}/healthz`, null]);
});

test("HEAD answers with the length and no body", async () => {
  await using server = await listen(appOf(() => jsonAnswer(200, { a: 1 })));
  const response = await fetch(server.url, { method: "HEAD" });
  expect([response.headers.get("content-length"), await response.text()]).toEqual(["7", ""]);
});

test("a header that Node refuses becomes a 500 with the error body", async () => {
  await using server = await listen(appOf(() => ({ status: 200, headers: [["x", "a\nb"]], body: "x" })));
  const response = await fetch(server.url);
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: "Internal error.", code: "internal", details: {} },
  ]);
});

test("a client that leaves during its upload affects no other", async () => {
  let failure: unknown;
  const app = appOf(async (incoming) => {
    if (incoming.method === "POST") await incoming.arrayBuffer().catch((error: unknown) => (failure = error));
    return jsonAnswer(200, {});
  });
  await using server = await listen(app);
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nhalf", () => socket.destroy());
  await once(socket, "close");
  await expect.poll(() => failure).toBeInstanceOf(Error);
  expect((await fetch(server.url)).status).toBe(200);
});

test("closing finishes a request, drains the app, and then accepts no connections", async () => {
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const app = appOf(async () => {
    started.resolve();
    await finish.promise;
    return jsonAnswer(200, { done: true });
  });
  const server = await listen(app);
  const pending = fetch(server.url);
  await started.promise;
  let closed = 0;
  const closing = [1, 2].map(() => server.close().then(() => (closed += 1)));
  expect(app.drained).toBe(true);
  await new Promise(setImmediate);
  expect(closed).toBe(0);
  finish.resolve();
  const response = await pending;
  expect([response.headers.get("connection"), await response.json()]).toEqual(["close", { done: true }]);
  await Promise.all(closing);
  await expect(fetch(server.url)).rejects.toThrow("fetch failed");
});

test("closing waits neither for a silent connection, nor longer than drainMs for a hanging one", async () => {
  const idle = await listen(appOf(() => jsonAnswer(200, {})));
  const agent = new Agent({ keepAlive: true });
  const kept = request(idle.url, { agent }).end();
  const [answer] = (await once(kept, "response")) as [NodeJS.ReadableStream];
  answer.resume();
  await once(answer, "end");
  await idle.close();
  agent.destroy();

  const arrived = Promise.withResolvers<void>();
  const hanging = await listen(
    appOf(() => {
      arrived.resolve();
      return new Promise<Answer>(() => {});
    }),
  );
  const never = fetch(hanging.url);
  await arrived.promise;
  await hanging.close({ drainMs: 20 });
  const { status, headers } = await never;
  expect([status, headers.get("retry-after"), headers.get("connection")]).toEqual([503, "1", "close"]);
});

/** An app that streams without end, and tells when nobody wants more. */
function endlessApp(): { app: Handler; cancelled: Promise<unknown> } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const chunk = new Uint8Array(256 * 1024).fill(0x2e);
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(chunk), cancel: resolve });
  return { app: appOf(() => streamAnswer("text/plain", body())), cancelled: promise };
}

test("a stream is cancelled when its client leaves, and for HEAD", async () => {
  const { app, cancelled } = endlessApp();
  await using server = await listen(app);
  const response = await fetch(server.url);
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.[0]).toBe(0x2e);
  await reader?.cancel();
  await cancelled;

  const head = endlessApp();
  await using other = await listen(head.app);
  expect(await (await fetch(other.url, { method: "HEAD" })).text()).toBe("");
  await head.cancelled;
});

test("a client that does not read its stream in time is disconnected", async () => {
  const { app, cancelled } = endlessApp();
  await using server = await listen(app, { limits: { stallMs: 20 } });
  const socket = connect(server.port, "127.0.0.1").pause();
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await expect(cancelled).resolves.toBeDefined();
  socket.destroy();
});

test("a failed stream destroys its connection; a finished one closes it", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(Uint8Array.of(0x2e));
      controller.error(new Error("broke"));
    },
  });
  await using server = await listen(appOf(() => streamAnswer("text/plain", broken)));
  await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow("terminated");
  await using whole = await listen(appOf(() => streamAnswer("text/plain", new Blob(["all"]).stream())));
  const response = await fetch(whole.url);
  expect([response.headers.get("connection"), await response.text()]).toEqual(["close", "all"]);
});

test("closing does not wait for a connection without a request", async () => {
  const day = 86_400_000;
  const patient = { headersMs: day, requestMs: day, keepAliveMs: day, checkMs: day };
  const server = await listen(
    appOf(() => jsonAnswer(200, {})),
    { limits: patient },
  );
  const ahead = connect(server.port, "127.0.0.1").resume();
  await once(ahead, "connect");
  // By then the server has it too.
  await (await fetch(server.url)).text();
  const gone = once(ahead, "close");
  await expect(server.close({ drainMs: day })).resolves.toBeUndefined();
  await gone;
});

test("an IPv6 address is written in brackets", async () => {
  await using server = await listen(
    appOf(() => jsonAnswer(200, {})),
    { host: "::1" },
  );
  expect(server.url).toBe(`http://[::1]:${server.port}`);
  expect((await fetch(server.url)).status).toBe(200);
});

test("many values of one header are passed to Node at once: adding them one by one takes quadratic time", async () => {
  const headers = Array.from({ length: 1_000 }, (_, n) => ["x-many", String(n)] as const);
  const [set, append] = [
    vi.spyOn(ServerResponse.prototype, "setHeader"),
    vi.spyOn(ServerResponse.prototype, "appendHeader"),
  ];
  onTestFinished(() => void vi.restoreAllMocks());
  await using server = await listen(appOf(() => ({ status: 200, headers, body: null })));
  const answered = (await fetch(server.url)).headers.get("x-many");
  expect(answered).toBe(headers.map(([, value]) => value).join(", "));
  expect(set.mock.calls.filter(([name]) => name === "x-many")).toHaveLength(1);
  expect(append).not.toHaveBeenCalled();
});

test("a request that waits behind another one gets its 100 Continue before its answer, or not at all", async () => {
  await using server = await listen(appOf(async (incoming) => jsonAnswer(200, (await incoming.text()).length)));
  const socket = connect(server.port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => (received += String(data)));
  const lines = (length: number, more = ""): string =>
    `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n${more}\r\n`;
  const expecting = "expect: 100-continue\r\n";
  socket.write(`${lines(2)}ab${lines(3, `${expecting}connection: close\r\n`)}abc`);
  await once(socket, "close");
  const heads = received.replaceAll(/\r\n(?:[\w-]+: [^\r]*\r\n)*\r\n/g, "|").split(/(?=HTTP)/);
  expect(heads.filter((head) => !head.includes("100 Continue"))).toEqual(["HTTP/1.1 200 OK|2", "HTTP/1.1 200 OK|3"]);
});

test("a request with Expect is answered at once when its length is refused, and asked for its body when it is not", async () => {
  const limit = 100_000;
  const app = appOf(async (incoming) => {
    const length = Number(incoming.headers.get("content-length"));
    return length > limit
      ? refusal(413, "payload_too_large", "too large")
      : jsonAnswer(200, (await incoming.text()).length);
  });
  await using server = await listen(app);
  const told = async (length: number, before = ""): Promise<readonly string[]> => {
    const socket = connect(server.port, "127.0.0.1");
    let received = "";
    const lines = `host: a\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;
    socket.on("data", (data) => {
      received += String(data);
      // As a client that waits: the body follows the 100 only.
      if (received.endsWith("HTTP/1.1 100 Continue\r\n\r\n")) socket.write("x".repeat(length));
    });
    socket.write(`${before}POST / HTTP/1.1\r\n${lines}`);
    await once(socket, "close");
    return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status);
  };
  for (const length of [1, 16_385, limit]) expect(await told(length)).toEqual(["100", "200"]);
  expect(await told(limit + 1)).toEqual(["413"]);
  expect(await told(10 ** 12)).toEqual(["413"]);
  const first = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nab";
  expect(await told(limit, first)).toEqual(["200", "100", "200"]);
  expect(await told(limit + 1, first)).toEqual(["200", "413"]);
});

test("a request that cannot be parsed is refused after the answers to those before it on the connection", async () => {
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await using server = await listen(
    appOf(async () => {
      await asked;
      return jsonAnswer(200, "first");
    }),
  );
  let refused = 0;
  const socket = connect(server.port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => (received += String(data)));
  socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\nGARBAGE\r\n\r\n");
  // Another connection is served meanwhile: the broken request has been read by then.
  const other = connect(server.port, "127.0.0.1");
  other.on("data", (data) => (refused = Number(/ (\d{3}) /.exec(String(data))?.[1])));
  other.write("GARBAGE\r\n\r\n");
  await once(other, "close");
  expect([refused, received]).toEqual([400, ""]);
  answer();
  await once(socket, "close");
  expect([...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(["200", "400"]);
});

test("a connection that cannot be accepted ends nothing, nor does the next one", async () => {
  await using server = await listen(appOf(() => jsonAnswer(200, {})));
  const found = Promise.withResolvers<Server>();
  const note = (message: unknown): void => found.resolve((message as { readonly server: Server }).server);
  subscribe("http.server.request.start", note);
  onTestFinished(() => void unsubscribe("http.server.request.start", note));
  await fetch(server.url);
  const { promise: accepting } = found;
  for (const code of ["ENOBUFS", "EMFILE"])
    (await accepting).emit("error", Object.assign(new Error("accept"), { code }));
  expect((await fetch(server.url)).status).toBe(200);
});
