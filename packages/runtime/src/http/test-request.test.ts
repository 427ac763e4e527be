import { expect, test } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { testRequest } from "./test-request.ts";

const http = { name: "http", type: "$.interface.http" };
const timer = { name: "timer", type: "$.interface.timer" };
const url = "https://hooks.example.com/in/key";
const requestOf = (props: (typeof http)[], event?: Json, sampleEmit?: Json) =>
  testRequest({ props, ...(sampleEmit !== undefined && { sampleEmit }) }, event, () => url);

const complete = {
  method: "POST",
  path: "/",
  query: {},
  headers: { "content-type": "application/json" },
  bodyRaw: "{}",
  body: {},
  url,
  client_ip: "127.0.0.1",
};

test("S53 without an event it is a POST of the sample, else of {}", () => {
  expect(requestOf([http])).toEqual({ httpProp: "http", event: complete });
  for (const sample of [{ id: 7 }, [1], "text", 5, true])
    expect(requestOf([http], undefined, sample)?.event).toMatchObject({
      method: "POST",
      body: sample,
      bodyRaw: typeof sample === "string" ? sample : JSON.stringify(sample),
    });
});

test.each([
  [{ body: { id: 7 } }, { ...complete, bodyRaw: '{"id":7}', body: { id: 7 } }],
  [
    { method: "PUT", body: [1] },
    { ...complete, method: "PUT", bodyRaw: "[1]", body: [1] },
  ],
  [{ method: "GET" }, { ...complete, method: "GET", headers: {}, bodyRaw: "", body: undefined }],
  [{ body: "a=1" }, { ...complete, headers: {}, bodyRaw: "a=1", body: "a=1" }],
  [{ bodyRaw: '{"n":1}' }, { ...complete, bodyRaw: '{"n":1}', body: { n: 1 } }],
  [
    { body: {}, headers: { "x-tag": "a" } },
    { ...complete, headers: { ...complete.headers, "x-tag": "a" } },
  ],
  [
    { path: "/a", query: { q: "1" }, body: {} },
    { ...complete, path: "/a", query: { q: "1" }, url: `${url}/a?q=1` },
  ],
  [
    { query: { q: ["1", "2"], p: [] }, body: {} },
    { ...complete, query: { q: ["1", "2"], p: [] }, url: `${url}?q=1&q=2` },
  ],
  [
    { ...complete, url: "https://other.example.com/" },
    { ...complete, url: "https://other.example.com/" },
  ],
])("S53 a part of a request is completed: %j", (event, expected) => {
  expect(requestOf([http], event)?.event).toEqual(expected);
});

test.each([
  [[timer, http], undefined],
  [[timer, http], { body: {} }],
  [[http], {}],
  [[http], { body: {}, other: 1 }],
  [[http], { method: 5 }],
  [[http], "text"],
  [[http], [{ method: "POST" }]],
  [[http], null],
  [[timer], { method: "POST" }],
  [[], { method: "POST" }],
])("S53 %j with %j is no request", (props, event) => {
  expect(requestOf(props, event)).toBeUndefined();
});

test("S53 a source that has a timer, too, gets an event with a method as a request", () => {
  expect(requestOf([timer, http], { method: "POST", body: 1 })).toMatchObject({ event: { bodyRaw: "1" } });
});
