import { afterAll, beforeAll, expect, it } from "vitest";

import { failure } from "../../../components/src/bundle.cases.ts";
import type { Json } from "../../../model/src/model.ts";
import { componentText, openTrial, type Trial } from "../../../runtime/src/runtime.cases.ts";

let trial: Trial;
let sent: { method: string; url: string; headers: Record<string, string>; body: string }[] = [];

beforeAll(async () => {
  trial = await openTrial({
    network: {
      async fetch(request) {
        const { method, url } = request;
        sent.push({ method, url, headers: Object.fromEntries(request.headers), body: await request.text() });
        if (url.includes("missing")) return new Response("no such thing", { status: 404 });
        return new Response(`{"a":1}`, { headers: { "content-type": "application/json" } });
      },
    },
  });
});
afterAll(() => trial.runtime.close());

const code = componentText(
  `props: { call: { type: "http_request", default: { method: "GET", url: "https://api.example/default" } } },
   async run() {
     try { const { data, status, headers } = await this.call.execute(); this.$emit([this.call.url, status, data, headers["content-type"]]); }
     catch (error) { this.$emit([error.message, error.response.data]); }
   },`,
);

async function emitted(call?: Json): Promise<unknown> {
  sent = [];
  const { source } = await trial.deploy(code, call === undefined ? {} : { call });
  expect((await trial.runtime.invoke(source.id)).error).toBeNull();
  return (await trial.payloads(source.id))[0];
}

it("a prop of type http_request sends its request and returns the data of the response", async () => {
  expect(await emitted()).toEqual(["https://api.example/default", 200, { a: 1 }, "application/json"]);
  expect(sent).toMatchObject([{ method: "GET", url: "https://api.example/default", body: "" }]);
});

it("headers, parameters, body and credentials are sent; disabled ones are not", async () => {
  await emitted({
    method: "post",
    url: "https://api.example/orders?a=1",
    headers: [
      { name: "x-own", value: "own" },
      { name: "x-off", value: "off", disabled: true },
    ],
    params: [{ name: "b", value: "ü&" }],
    body: { contentType: "application/json", fields: [{ name: "total", value: "12" }] },
    auth: { type: "basic", username: "me", password: "pass" },
  });
  expect(sent).toMatchObject([
    { method: "POST", url: "https://api.example/orders?a=1&b=%C3%BC%26", body: `{"total":"12"}` },
  ]);
  const [{ headers } = { headers: {} }] = sent;
  expect(headers).toMatchObject({
    "x-own": "own",
    "content-type": "application/json",
    authorization: "Basic bWU6cGFzcw==",
  });
  expect(headers).not.toHaveProperty("x-off");
});

it.each([
  [{ contentType: "application/x-www-form-urlencoded", fields: [{ name: "a", value: "1 2" }] }, "a=1+2"],
  [{ contentType: "text/xml", raw: "<a/>" }, "<a/>"],
  [{ any: ["object"] }, `{"any":["object"]}`],
  ["text", "text"],
])("the body %j is sent as %s", async (body, text) => {
  await emitted({ method: "PUT", url: "https://api.example/", body });
  expect(sent[0]?.body).toBe(text);
});

it("a response other than 2xx is an error with the response", async () => {
  expect(await emitted({ url: "https://api.example/missing" })).toEqual([
    "Request failed with status code 404",
    "no such thing",
  ]);
});

it("a value without a URL is refused", async () => {
  const error = await failure(trial.deploy(code, { call: { method: "GET" } }));
  expect(error.code).toBe("invalid_props");
  expect(error.details.errors).toMatchObject([{ path: "/props/call/url" }]);
});
