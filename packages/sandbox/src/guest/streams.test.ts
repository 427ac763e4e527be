import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox } from "../sandbox.cases.ts";
import { compare } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const readAll = `const all = []; for await (const chunk of stream) all.push(chunk); return all`;

test("streams behave as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `const stream = new ReadableStream({ start(controller) { controller.enqueue("a"); controller.enqueue("b"); controller.close() } }); ${readAll}`,
    `const stream = ReadableStream.from([1, Promise.resolve(2)]); ${readAll}`,
    `let n = 0; const stream = new ReadableStream({ pull(controller) { n += 1; if (n > 3) controller.close(); else controller.enqueue(n) } }); ${readAll}`,
    `const reader = new ReadableStream({ start: (controller) => controller.error(new RangeError("m")) }).getReader(); return reader.read()`,
    `const stream = new ReadableStream(); stream.getReader(); return stream.locked`,
    `const stream = new ReadableStream(); stream.getReader(); stream.getReader()`,
    `const [first, second] = ReadableStream.from(["x"]).tee(); return [(await first.getReader().read()).value, (await second.getReader().read()).value]`,
    `const seen = []; await ReadableStream.from(["a", "b"]).pipeThrough(new TransformStream({ transform: (chunk, controller) => controller.enqueue(chunk.toUpperCase()) })).pipeTo(new WritableStream({ write: (chunk) => { seen.push(chunk) }, close: () => { seen.push("end") } })); return seen`,
    `const seen = []; const writer = new WritableStream({ write: (chunk) => { seen.push(chunk) }, abort: (reason) => { seen.push(reason) } }).getWriter(); await writer.write(1); await writer.abort("why"); return [seen, writer.desiredSize]`,
    `let reason; const stream = new ReadableStream({ cancel: (given) => { reason = given } }); await stream.cancel("why"); return reason`,
    `const stream = new ReadableStream({ type: "bytes", pull(controller) { controller.byobRequest.view[0] = 7; controller.byobRequest.respond(1) } }); return (await stream.getReader({ mode: "byob" }).read(new Uint8Array(4))).value`,
    `[new CountQueuingStrategy({ highWaterMark: 3 }).highWaterMark, new ByteLengthQueuingStrategy({ highWaterMark: 3 }).size(new Uint8Array(5))]`,
    `const stop = new AbortController(); const pipe = new ReadableStream().pipeTo(new WritableStream(), { signal: stop.signal }); stop.abort(); return pipe`,
    `const stream = ReadableStream.from(["é", "\\ud83c", "\\udf89"]).pipeThrough(new TextEncoderStream()); ${readAll}`,
    `const stream = ReadableStream.from([new Uint8Array([0xc3]), new Uint8Array([0xa9, 0x21])]).pipeThrough(new TextDecoderStream()); ${readAll}`,
    `const stream = ReadableStream.from([new Uint8Array([0xff])]).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })); ${readAll}`,
    `const { encoding, fatal } = new TextDecoderStream("latin1", { fatal: true }); return [encoding, fatal]`,
    `Object.prototype.toString.call(new ReadableStream()) + new ReadableStream().constructor.name`,
  ]);
  expect(guest).toEqual(node);
});

test("bodies are streams and accept streams, as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `new Response().body`,
    `const { body } = new Response("é"); return [body instanceof ReadableStream, body.locked]`,
    `const stream = new Response("é").body; ${readAll}`,
    `const stream = new Blob(["ab"]).stream(); ${readAll}`,
    `const response = new Response("x"); return [response.body === response.body, response.bodyUsed, await response.text(), response.bodyUsed]`,
    `const response = new Response("x"); await response.body.getReader().read(); return response.bodyUsed`,
    `const response = new Response("x"); response.body.getReader(); await response.text()`,
    `const response = new Response("x"); await response.body.cancel(); return [response.bodyUsed, await response.text().catch((error) => error.name)]`,
    `await new Response(ReadableStream.from([new Uint8Array([65]), new Uint8Array([66])])).text()`,
    `await new Response(ReadableStream.from(["text"])).text()`,
    `await new Response(new ReadableStream({ start: (controller) => controller.error(new RangeError("m")) })).text()`,
    `const stream = new ReadableStream(); return new Response(stream).body === stream`,
    `const stream = new ReadableStream(); stream.getReader(); new Response(stream)`,
    `new Response(new ReadableStream()).headers.get("content-type")`,
    `const response = new Response(ReadableStream.from([new Uint8Array([65])])); const copy = response.clone(); return [await response.text(), await copy.text()]`,
    `const response = new Response("x"); const { body } = response; const copy = response.clone(); return [await copy.text(), await response.text()]`,
    `new Request("https://a.test", { method: "POST", body: new ReadableStream() })`,
    `const request = new Request("https://a.test", { method: "POST", duplex: "half", body: ReadableStream.from([new Uint8Array([65])]) }); return [request.headers.get("content-type"), request.bodyUsed, await request.text(), request.bodyUsed]`,
    `let read = false; const typed = new Request("https://a.test", { method: "POST", body: new ReadableStream(), get duplex() { read = true; return "half" } }).headers.has("content-type"); return [read, typed]`,
    `await new Response((async function* () { yield new Uint8Array([65]) })()).text()`,
    `const first = new Request("https://a.test", { method: "POST", body: "x" }); const { body } = first; const second = new Request(first); return [first.bodyUsed, await second.text()]`,
  ]);
  expect(guest).toEqual(node);
});

test("forms and files behave as in Node", async () => {
  const form = `const form = new FormData(); form.append("a", "1"); form.append("b \\"q\\"", "x\\ny"); form.append("a", 2); form.append("file", new Blob(["é"], { type: "text/plain" }), "n\\"ame.txt");`;
  const boundary = `const boundary = /boundary=(.*)/.exec(response.headers.get("content-type"))[1];`;
  const typed = (type: string): string => `{ headers: { "content-type": "${type}" } }`;
  const { guest, node } = await compare(sandbox, [
    `${form} return [form.get("a"), form.getAll("a"), form.has("file"), form.get("none"), [...form.keys()]]`,
    `${form} form.set("a", "3"); form.delete("file"); return [...form]`,
    `${form} const file = form.get("file"); return [file instanceof File, file.name, file.type, file.size, await file.text()]`,
    `${form} const response = new Response(form); ${boundary} return (await response.text()).replaceAll(boundary, "B")`,
    `${form} const read = await new Response(form).formData(); return [read instanceof FormData, [...read.entries()].map(([name, value]) => [name, typeof value === "string" ? value : value.name + value.type + value.size])]`,
    `${form} const read = await new Request("https://a.test", { method: "POST", body: form }).formData(); return read.get("file").text()`,
    `[...await new Response("a=1&b=%C3%A9+x", ${typed("application/x-www-form-urlencoded")}).formData()]`,
    `await new Response("x", ${typed("text/plain")}).formData()`,
    `await new Response("x", ${typed("multipart/form-data")}).formData()`,
    `await new Response("x", ${typed("multipart/form-data; boundary=B")}).formData()`,
    `[...await new Response("--B\\r\\nContent-Disposition: form-data; name=\\"a\\"\\r\\n\\r\\n1\\r\\n2\\r\\n--B--\\r\\n", ${typed("multipart/form-data; boundary=B")}).formData()]`,
    `new FormData().append("a")`,
    `new FormData().append("a", "b", "c")`,
    `new FormData({})`,
    `const form = new FormData(); form.append("f", new Blob(["x"])); return form.get("f").name`,
    `const form = new FormData(); form.append("f", new File(["x"], "a", { lastModified: 5, type: "t/u" }), "b"); const { name, type } = form.get("f"); return [name, type]`,
    `const form = new FormData(); form.append("h", "\\ud800"); return form.get("h")`,
    `const file = new File(["ab"], "n.txt", { type: "T/U", lastModified: 7 }); return [file.name, file.size, file.type, file.lastModified, file instanceof Blob, Object.prototype.toString.call(file)]`,
    `new File(["x"])`,
    `typeof new File([], "x").lastModified`,
    `const seen = []; const form = new FormData(); form.append("a", "1"); form.forEach((value, name, all) => seen.push(value, name, all === form)); return seen`,
    `Object.prototype.toString.call(new FormData())`,
  ]);
  expect(guest).toEqual(node);
});
