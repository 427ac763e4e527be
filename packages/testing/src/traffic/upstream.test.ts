import { describe, expect, test } from "vitest";

import { componentText, failureOf } from "../source.cases.ts";
import { reply, type Routes, source, UnroutedError } from "../vitest.ts";

/** Fetches the URL of the event, and emits the answer or the error. */
const fetcher = componentText(`async run({ url, init, quiet }) {
  try {
    const answer = await fetch(url, init);
    const text = await answer.text();
    this.$emit({ status: answer.status, type: answer.headers.get("content-type"), text, url: answer.url });
  } catch (error) {
    if (!quiet) throw error;
    this.$emit({ error: error.message, cause: error.cause?.message });
  }
}`);

async function open(routes: Routes) {
  const trial = source({ code: fetcher }, { routes });
  await trial.deploy();
  return {
    trial,
    get: async (url: string, init: object = {}, quiet = false): Promise<unknown> =>
      (await trial.run({ url, init, quiet })).emits[0]?.event,
  };
}

describe("routes", () => {
  test("answer with JSON, text, bytes, a status, a Response, or the result of a function", async () => {
    const { get } = await open({
      "GET https://a.test/json": { a: [1] },
      "GET https://a.test/text": "plain",
      "GET https://a.test/bytes": new Uint8Array([104, 105]),
      "GET https://a.test/status": reply(404, { error: "none" }, { "x-a": "1" }),
      "GET https://a.test/empty": reply(204),
      "GET https://a.test/response": new Response("<a/>", { status: 202, headers: { "content-type": "text/xml" } }),
      "GET https://a.test/items/:id": ({ params, query }) => ({ ...params, ...query }),
      "GET https://a.test/later": async () => reply(200, "later"),
    });
    const json = "application/json";
    const answers: { [path: string]: unknown } = {};
    const paths = ["json", "text", "bytes", "status", "empty", "response", "response", "items/7?x=1", "later"];
    for (const path of paths) answers[path] = await get(`https://a.test/${path}`);
    expect(answers).toMatchObject({
      json: { status: 200, type: json, text: '{"a":[1]}' },
      text: { status: 200, type: "text/plain; charset=utf-8", text: "plain" },
      bytes: { status: 200, type: "application/octet-stream", text: "hi" },
      status: { status: 404, type: json, text: '{"error":"none"}' },
      empty: { status: 204, text: "" },
      response: { status: 202, type: "text/xml", text: "<a/>" },
      "items/7?x=1": { text: '{"id":"7","x":"1"}' },
      later: { text: "later" },
    });
  });

  test("are chosen by specificity; a later one replaces one of the same name", async () => {
    const { trial, get } = await open({
      "GET https://a.test/*": "any",
      "GET https://a.test/x": "path",
      "GET https://a.test/x?a=1": "query",
    });
    const texts = async (): Promise<unknown[]> => [
      await get("https://a.test/y"),
      await get("https://a.test/x?b=1"),
      await get("https://a.test/x?a=1"),
    ];
    expect(await texts()).toMatchObject([{ text: "any" }, { text: "path" }, { text: "query" }]);
    trial.route("GET https://a.test/x", "changed");
    expect(await texts()).toMatchObject([{ text: "any" }, { text: "changed" }, { text: "query" }]);
  });

  test("may redirect; each hop is a request", async () => {
    const { trial, get } = await open({
      "POST https://a.test/old": reply(303, undefined, { location: "/new" }),
      "GET https://a.test/new": "here",
    });
    const init = { method: "POST", body: "x" };
    expect(await get("https://a.test/old", init)).toMatchObject({
      status: 200,
      text: "here",
      url: "https://a.test/new",
    });
    expect(trial.calls.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      "POST /old 303",
      "GET /new 200",
    ]);
  });

  test("record requests", async () => {
    const { trial, get } = await open({ "PUT https://a.test/x": {} });
    const headers = { "content-type": "application/json", "X-Key": "k" };
    await get("https://a.test/x?p=1#part", { method: "PUT", headers, body: '{"a":1}' });
    expect(trial.calls).toMatchObject([
      { method: "PUT", url: "https://a.test/x?p=1", path: "/x", query: { p: "1" }, body: { a: 1 }, status: 200 },
    ]);
    expect(trial.calls[0]?.headers).toMatchObject({ "x-key": "k", "content-type": "application/json" });
    expect(trial.calls[0]?.route).toBe("PUT https://a.test/x");
  });
});

describe("a route with an invalid answer", () => {
  test.each([
    [reply("404" as never), "A route answers with the status"],
    [reply(200, "", { "x y": "1" }), 'A route answers with the header "x y"'],
    [() => undefined, 'The route "GET https://a.test/*" answers undefined: give it a value,'],
    [undefined, 'The route "GET https://a.test/*" answers undefined'],
  ])("fails the step even when the component handles the failed request", async (answer, text) => {
    const { get } = await open({ "GET https://a.test/*": answer });
    const error = await failureOf(get("https://a.test/x", {}, true));
    expect([error.name, error.message]).toEqual(["HarnessError", expect.stringContaining(text)]);
    expect(error.stack).toContain("upstream.test.ts");
  });

  test("may be a promise of an answer", async () => {
    const { get } = await open({ "GET https://a.test/*": Promise.resolve("later") });
    expect(await get("https://a.test/x")).toMatchObject({ text: "later" });
  });
});

test("a route that throws fails the connection, and its error is the cause of the component's", async () => {
  const broken = (): never => {
    throw new Error("reset by the test");
  };
  const { get } = await open({ "GET https://a.test/*": broken });
  const { message, cause } = await failureOf(get("https://a.test/x"));
  expect([message, cause instanceof Error && cause.message]).toEqual([
    "fetch failed",
    "Request to https://a.test/x failed: reset by the test.",
  ]);
});

describe("a request that no route answers", () => {
  test("fails the step with the route to add, even when the component handles the failed request", async () => {
    const { trial, get } = await open({ "GET https://a.test/items": [] });
    const body = JSON.stringify({ name: "hook" });
    const error = await failureOf(get("https://a.test/hooks?x=1", { method: "POST", body }, true));
    expect(error).toBeInstanceOf(UnroutedError);
    expect(error.message).toBe(
      [
        "No route answers POST https://a.test/hooks?x=1; the harness has no network.",
        'POST https://a.test/hooks?x=1 was sent with {"name":"hook"}',
        "Add routes with the answers of the upstream:",
        '    "POST https://a.test/hooks?x=1": {},',
        "The test has these routes:",
        "    GET https://a.test/items",
      ].join("\n"),
    );
    expect(error.stack).toContain("upstream.test.ts");
    expect(trial.emits[0]?.event).toMatchObject({ error: expect.stringContaining("fetch failed") as unknown });
  });

  test("is listed once, with other requests without a route", async () => {
    const code = componentText(
      `async run() { await Promise.allSettled(["a", "b", "a"].map((name) => fetch("https://a.test/" + name))); }`,
    );
    const trial = source({ code });
    await trial.deploy();
    const { message } = await failureOf(trial.run());
    expect(message).toContain("No routes answer these requests");
    expect(message.match(/"GET https:\/\/a\.test\/[ab]": \{\},/g)).toHaveLength(2);
    expect(message).toContain("The test has no routes.");
  });

  test("does not fail later steps", async () => {
    const { get } = await open({ "GET https://a.test/items": "ok" });
    await failureOf(get("https://a.test/other", {}, true));
    expect(await get("https://a.test/items")).toMatchObject({ text: "ok" });
  });
});
