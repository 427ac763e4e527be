import { afterAll, beforeAll, expect, test } from "vitest";

import type { GuestReply, GuestRequest, Sandbox } from "../contract.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const reply = (given: Partial<GuestReply> = {}): GuestReply => ({
  url: "https://a.test/",
  status: 200,
  statusText: "OK",
  headers: [["content-type", "text/plain"]],
  body: new TextEncoder().encode("é"),
  redirected: false,
  ...given,
});

/** The emitted event of a run, and its requests at the host. */
async function run(
  body: string,
  answer: (request: GuestRequest, signal: AbortSignal) => Promise<GuestReply> = () => Promise.resolve(reply()),
): Promise<{ emitted: unknown; requests: GuestRequest[] }> {
  const requests: GuestRequest[] = [];
  const { emits, outcome } = await tryComponent(sandbox, runBody(`this.$emit(await (async () => { ${body} })())`), {
    fetch(request, signal) {
      requests.push(request);
      return answer(request, signal);
    },
  });
  expect(outcome.error).toBeUndefined();
  return { emitted: JSON.parse(emits[0]?.payload ?? "null") as unknown, requests };
}

const text = (request: GuestRequest | undefined): string => new TextDecoder().decode(request?.body);
const header = (request: GuestRequest | undefined, name: string): string =>
  request?.headers.find(([each]) => each === name)?.[1] ?? "";

test("fetch normalises URLs and methods as the standard does", async () => {
  const { requests } = await run(`
    await fetch("https://h");
    await fetch("HTTPS://H:443/a/../b#c", { method: "post" });
    await fetch(new URL("https://h/x"), { method: "patch", redirect: "manual" });`);
  expect(requests.map(({ url, method, redirect }) => [url, method, redirect])).toEqual([
    ["https://h/", "GET", "follow"],
    ["https://h/b#c", "POST", "follow"],
    ["https://h/x", "patch", "manual"],
  ]);
});

test("forms, streams, blobs and parameters are sent as bodies with their content type", async () => {
  const { requests } = await run(`
    const form = new FormData();
    form.append("a", "1");
    form.append("file", new File(["é"], "f.txt", { type: "text/plain" }));
    const stream = new ReadableStream({ start(controller) { controller.enqueue(new Uint8Array([65])); controller.enqueue(new Uint8Array([66])); controller.close(); } });
    const send = (body, more) => fetch("https://a.test", { method: "POST", body, ...more });
    await send(form);
    await send(stream, { duplex: "half" });
    await send(new Blob(["x"], { type: "a/b" }));
    await send(new URLSearchParams({ a: "b c" }));
    await send(new Response("y").body, { duplex: "half" });`);
  const [form, ...others] = requests;
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(header(form, "content-type"))?.[1] ?? "none";
  expect(text(form).replaceAll(boundary, "B")).toBe(
    [
      "--B",
      'Content-Disposition: form-data; name="a"',
      "",
      "1",
      "--B",
      'Content-Disposition: form-data; name="file"; filename="f.txt"',
      "Content-Type: text/plain",
      "",
      "é",
      "--B--",
      "",
    ].join("\r\n"),
  );
  expect(others.map((request) => [header(request, "content-type"), text(request)])).toEqual([
    ["", "AB"],
    ["a/b", "x"],
    ["application/x-www-form-urlencoded;charset=UTF-8", "a=b+c"],
    ["", "y"],
  ]);
});

test("a response is a stream, is read-only, and shows a redirect that was not followed", async () => {
  const { emitted } = await run(
    `const response = await fetch("https://a.test", { redirect: "manual" });
    const copy = response.clone();
    const chunks = [];
    for await (const chunk of response.body) chunks.push(...chunk);
    const locked = (() => { try { response.headers.set("a", "b") } catch (error) { return error.name } })();
    return [response.type, response.status, response.headers.get("location"), chunks, locked, response.bodyUsed, await copy.text()];`,
    () => Promise.resolve(reply({ status: 302, headers: [["location", "/next"]] })),
  );
  expect(emitted).toEqual(["basic", 302, "/next", [0xc3, 0xa9], "TypeError", true, "é"]);
});

test("a failed request is Node's TypeError with the system's code in its cause", async () => {
  const { emitted } = await run(
    `try { await fetch("https://a.test") } catch (error) { return [error.name, error.message, error.cause.message, error.cause.code, /component|run/.test(error.stack)] }`,
    () => Promise.reject(new Error("no way", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) })),
  );
  expect(emitted).toEqual(["TypeError", "fetch failed", "connect", "ECONNREFUSED", true]);
});

test("a request rejects with its signal's reason, during sending and during reading of its stream", async () => {
  const { emitted, requests } = await run(
    `const caught = (work) => work.then(() => "none", (error) => [error.name, error.code]);
    const stop = new AbortController();
    const waiting = fetch("https://a.test/slow", { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(5)]) });
    const reading = fetch("https://a.test", { method: "POST", duplex: "half", body: new ReadableStream(), signal: stop.signal });
    const first = await caught(waiting);
    stop.abort();
    return [first, await caught(reading), await caught(fetch("https://a.test", { signal: stop.signal }))];`,
    (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("cancelled")));
      }),
  );
  expect(emitted).toEqual([
    ["TimeoutError", 23],
    ["AbortError", 20],
    ["AbortError", 20],
  ]);
  expect(requests.map(({ url }) => url)).toEqual(["https://a.test/slow"]);
});

test("a stream that fails or has other chunks than bytes fails the request with the reason as its cause", async () => {
  const { emitted } = await run(`
    const send = (body) => fetch("https://a.test", { method: "POST", duplex: "half", body }).catch((error) => [error.name, error.message, error.cause.name]);
    return [await send(ReadableStream.from(["text"])), await send(new ReadableStream({ start: (controller) => controller.error(new RangeError("m")) }))];`);
  expect(emitted).toEqual([
    ["TypeError", "fetch failed", "TypeError"],
    ["TypeError", "fetch failed", "RangeError"],
  ]);
});
