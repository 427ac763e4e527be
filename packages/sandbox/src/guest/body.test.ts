import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox } from "../sandbox.cases.ts";
import { compare } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test("Response behaves as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const { status, ok, statusText, url, redirected, type, bodyUsed } = new Response(); return [status, ok, statusText, url, redirected, type, bodyUsed]`,
    `await new Response("é").text()`,
    `await new Response('{"a":[1]}').json()`,
    `await new Response("{").json()`,
    `await new Response().text()`,
    `await new Response(null).text()`,
    `await new Response(undefined).text()`,
    `await new Response("").text()`,
    `await new Response().json()`,
    `await new Response("ab").arrayBuffer()`,
    `await new Response("ab").bytes()`,
    `await new Response(new Uint8Array([1, 2, 3]).subarray(1)).bytes()`,
    `await new Response(new Uint8Array([1, 2]).buffer).bytes()`,
    `await new Response(12).text()`,
    `await new Response({}).text()`,
    `await new Response(new URLSearchParams({ a: "b c" })).text()`,
    `await new Response("\\ufeffx").text()`,
    `await new Response(new Uint8Array([0xff])).text()`,
    `const blob = await new Response("x", { headers: { "content-type": "a/b" } }).blob(); return [blob.type, blob.size]`,
    `["x", new Uint8Array(1), new URLSearchParams("a"), new Blob(["x"]), new Blob(["x"], { type: "a/b" }), null].map((body) => new Response(body).headers.get("content-type"))`,
    `new Response("x", { headers: { "Content-Type": "a/b" } }).headers.get("content-type")`,
    `new Response("x", { status: 404, statusText: "No" }).ok`,
    `[200, 299, 300, 404, 599].map((status) => new Response(null, { status }).ok)`,
    `return [199, 600, 0, 1000].map((status) => { try { new Response(null, { status }) } catch (error) { return error.name } })`,
    `return [204, 205, 304].map((status) => { try { new Response("x", { status }); return "made" } catch (error) { return error.name } })`,
    `new Response("x", { status: "201" }).status`,
    `const response = new Response("x"); await response.text(); return response.bodyUsed`,
    `const response = new Response("x"); await response.text(); await response.text()`,
    `const response = new Response("x"); const first = response.text(); return [response.bodyUsed, await first]`,
    `const response = new Response(); await response.text(); return [response.bodyUsed, await response.text()]`,
    `const response = new Response("x"); const copy = response.clone(); return [await copy.text(), await response.text(), copy !== response]`,
    `const response = new Response("x", { status: 201, headers: { a: "1" } }); const copy = response.clone(); copy.headers.set("a", "2"); return [copy.status, response.headers.get("a"), copy.headers.get("a")]`,
    `const response = new Response("x"); await response.text(); response.clone()`,
    `const bytes = new Uint8Array([65]); const response = new Response(bytes); bytes[0] = 66; return response.text()`,
    `const response = Response.json({ a: 1 }); return [response.status, response.headers.get("content-type"), await response.text()]`,
    `Response.json({}, { status: 201, headers: { "content-type": "a/b" } }).headers.get("content-type")`,
    `Response.json(undefined)`,
    `Response.json(1n)`,
    `Object.prototype.toString.call(new Response())`,
    `new Response("x").text() instanceof Promise`,
    `const { type, status, ok } = Response.error(); return [type, status, ok]`,
    `Response.error().headers.set("a", "b")`,
    `const { status, headers, body } = Response.redirect("https://a.test/x y", 308); return [status, headers.get("location"), body]`,
    `Response.redirect("relative")`,
    `Response.redirect("https://a.test", 200)`,
    `Response.redirect("https://a.test").headers.append("a", "b")`,
    `new Response("x", { statusText: "\u20ac" })`,
    `const headers = new Headers({ a: "1" }); const response = new Response("", { headers }); headers.set("a", "2"); return response.headers.get("a")`,
    `Object.keys(new Response("x"))`,
  ]);
  expect(guest).toEqual(node);
});

test("Request behaves as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const { url, method, redirect, bodyUsed } = new Request("https://a.test/x y"); return [url, method, redirect, bodyUsed]`,
    `new Request("relative")`,
    `new Request("https://user:pass@a.test/")`,
    `new Request(new URL("https://a.test/x")).url`,
    `["get", "post", "Delete", "custom"].map((method) => new Request("https://a.test", { method }).method)`,
    `new Request("https://a.test", { method: "TRACE" })`,
    `new Request("https://a.test", { method: "CONNECT" })`,
    `new Request("https://a.test", { method: "bad method" })`,
    `new Request("https://a.test", { body: "x" })`,
    `new Request("https://a.test", { method: "HEAD", body: "x" })`,
    `await new Request("https://a.test", { method: "POST", body: "x" }).text()`,
    `new Request("https://a.test", { method: "POST", body: "x" }).headers.get("content-type")`,
    `new Request("https://a.test", { method: "POST", body: new URLSearchParams("a=1") }).headers.get("content-type")`,
    `new Request("https://a.test", { headers: { A: "1" } }).headers.get("a")`,
    `new Request("https://a.test", { redirect: "manual" }).redirect`,
    `new Request("https://a.test", { redirect: "nope" })`,
    `const first = new Request("https://a.test", { method: "POST", body: "x", headers: { a: "1" } }); const second = new Request(first, { headers: { b: "2" } }); return [second.method, [...second.headers.keys()], await second.text(), first.bodyUsed]`,
    `const first = new Request("https://a.test", { method: "POST", body: "x" }); await first.text(); new Request(first)`,
    `const first = new Request("https://a.test", { method: "POST", body: "x" }); const copy = first.clone(); return [await copy.text(), await first.text()]`,
    `const request = new Request("https://a.test/"); return [request.signal.aborted, request.signal === request.signal, request.signal instanceof AbortSignal]`,
    `const stop = new AbortController(); const first = new Request("https://a.test/", { signal: stop.signal }); const all = [first, first.clone(), new Request(first), new Request(first, { signal: null })]; stop.abort("why"); return all.map(({ signal }) => [signal.aborted, signal.reason])`,
    `const first = new Request("https://a.test", { method: "POST", body: "x" }); await first.text(); first.clone()`,
    `const stop = new AbortController(); const request = new Request("https://a.test", { signal: stop.signal }); stop.abort("why"); return [request.signal.aborted, request.signal.reason]`,
    `new Request("https://a.test").signal.aborted`,
    `await new Request("https://a.test", { method: "POST", body: '{"a":1}' }).json()`,
    `Object.prototype.toString.call(new Request("https://a.test"))`,
    `new Request("https://a.test", { method: "patch" }).method`,
    `const { mode, credentials, cache, referrer, referrerPolicy, integrity, keepalive, destination, duplex } = new Request("https://a.test"); return [mode, credentials, cache, referrer, referrerPolicy, integrity, keepalive, destination, duplex]`,
    `new Request("https://h").url`,
    `new Request("https://a.test", { signal: {} })`,
    `const stop = new AbortController(); const first = new Request("https://a.test", { signal: stop.signal }); const second = new Request(first, { signal: null }); stop.abort(); return [first.signal.aborted, second.signal.aborted]`,
    `const first = new Request("https://a.test", { method: "POST", body: "x" }); new Request(first); return first.bodyUsed`,
    `const first = new Request("https://a.test", { method: "POST", body: "x" }); new Request(first, { method: "GET" })`,
  ]);
  expect(guest).toEqual(node);
});

test("Blob behaves as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const blob = new Blob(["é", new Uint8Array([1]), new Blob(["b"])], { type: "A/B" }); return [blob.size, blob.type, [...new Uint8Array(await blob.arrayBuffer())]]`,
    `[new Blob().size, new Blob().type]`,
    `await new Blob(["abc"]).text()`,
    `await new Blob([12, null, undefined, { a: 1 }]).text()`,
    `await new Blob([new Uint16Array([1, 2])]).bytes()`,
    `await new Blob([new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1)]).bytes()`,
    `await new Blob(["abcdef"]).slice(1, 3).text()`,
    `await new Blob(["abcdef"]).slice(-2).text()`,
    `await new Blob(["abcdef"]).slice(2, -1).text()`,
    `const part = new Blob(["abcdef"], { type: "a/b" }).slice(0, 1, "c/d"); return [part.type, new Blob(["x"], { type: "a/b" }).slice().type]`,
    `new Blob("text")`,
    `new Blob([], { type: "é" }).type`,
    `const bytes = new Uint8Array([65]); const blob = new Blob([bytes]); bytes[0] = 66; return blob.text()`,
    `Object.prototype.toString.call(new Blob())`,
  ]);
  expect(guest).toEqual(node);
});

test("a stream of Node's oldest kind can be a body, unlike in Node's fetch: axios sends form-data so", async () => {
  const stream = `const listeners = {}; const stream = { on: (name, listener) => { listeners[name] = listener; }, pipe() {} };`;
  const { guest } = await compare(sandbox, [
    `${stream} stream.resume = () => { listeners.data("ä"); listeners.data(new Uint8Array([33])); queueMicrotask(() => listeners.end()); }; return await new Response(stream).text();`,
    `${stream} stream.resume = () => listeners.error(new RangeError("broken")); return await new Response(stream).text();`,
  ]);
  expect(Object.values(guest)).toEqual(["ä!", "throws RangeError"]);
});
