import { createEngine } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Service, type SourceBody, startService } from "./fixture.ts";
import { createWorkflowTrial, oneStep } from "./workflow-fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const customHttp = 'http: { type: "$.interface.http", customResponse: true }';

/** A source that answers by the code of its run. */
const responder = (run: string, at = service): Promise<SourceBody> =>
  at.deploy(component({ name: "Answers", props: customHttp, run }));

/** A source that answers with the expression that a request names; a refusal is its text, with the status 299. */
const answering = (answers: readonly string[], at = service): Promise<SourceBody> =>
  responder(
    `
    const answers = [${answers.map((answer) => `() => (${answer})`).join(",\n")}];
    let thrown = "at the call";
    try {
      const answered = this.http.respond(answers[event.query.of]());
      thrown = "later";
      await answered;
    } catch (error) {
      this.http.respond({ status: 299, headers: { "x-thrown": thrown }, body: error.name + ": " + error.message });
    }`,
    at,
  );

interface Answer {
  readonly status: number;
  readonly thrown: string | null;
  readonly own: string | null;
  readonly cookies: readonly string[];
  readonly type: string | null;
  readonly text: string;
}

async function answerOf(source: SourceBody, of: number, at: Service): Promise<Answer> {
  const response = await at.hit(source, `?of=${of}`);
  const { status, headers } = response;
  return {
    status,
    thrown: headers.get("x-thrown"),
    own: headers.get("x-a"),
    cookies: headers.getSetCookie(),
    type: headers.get("content-type"),
    text: await response.text(),
  };
}

/** Answers that are given, by the expression of the argument of respond. */
async function allOf(answers: readonly string[], at = service): Promise<Readonly<Record<string, Answer>>> {
  const source = await answering(answers, at);
  const found: Record<string, Answer> = {};
  for (const [of, answer] of answers.entries()) found[answer] = await answerOf(source, of, at);
  return found;
}

const headerForms: readonly string[] = [
  `{ "x-a": "1" }`,
  `{ "x-a": 1, "x-none": undefined }`,
  `Object.assign(Object.create(null), { "x-a": ["1"] })`,
  `new Headers({ "x-a": "1" })`,
  `new Map([["x-a", "1"], ["x-none", null]])`,
  `new Map([["x-a", [1]]])`,
  `[["x-a", "1"]]`,
  `new Set([["x-a", "1"]])`,
  `new URLSearchParams({ "x-a": "1" })`,
  `(function* () { yield ["x-a", 1]; })()`,
];

/** Bodies: their expression, the text that is sent, and the content type that they imply. */
const bodies: readonly (readonly [body: string, text: string, type: string | null])[] = [
  [`"text ü"`, "text ü", null],
  [`""`, "", null],
  [`undefined`, "", null],
  [`12`, "12", null],
  [`true`, "true", null],
  [`new Uint8Array([104, 105])`, "hi", null],
  [`new Uint16Array([26984])`, "hi", null],
  [`new DataView(new Uint8Array([104, 105]).buffer)`, "hi", null],
  [`new Uint8Array([104, 105]).buffer`, "hi", null],
  [`Buffer.from("hi")`, "hi", null],
  [`new Blob(["b"])`, "b", null],
  [`new Blob(["<p>"], { type: "text/html" })`, "<p>", "text/html"],
  [`new File(["f"], "f.txt", { type: "text/plain" })`, "f", "text/plain"],
  [`new URLSearchParams({ a: "1 2" })`, "a=1+2", "application/x-www-form-urlencoded;charset=UTF-8"],
  [`new Blob(["s", "t"]).stream()`, "st", null],
  [`new Response("r").body`, "r", null],
  [`ReadableStream.from(["a", new Uint8Array([98])])`, "ab", null],
  [`(async function* () { yield "a"; await new Promise((done) => setTimeout(done, 5)); yield "ü"; })()`, "aü", null],
  [`require("node:stream").Readable.from(["a", Buffer.from("b")])`, "ab", null],
  [`{ a: [1] }`, `{"a":[1]}`, "application/json"],
  [`[1]`, "[1]", "application/json"],
  [`{}`, "{}", "application/json"],
  [`new Date(0)`, `"1970-01-01T00:00:00.000Z"`, "application/json"],
  [`new (class Order { id = 1 })()`, `{"id":1}`, "application/json"],
  [`Object.assign(new Map(), { toJSON: () => "m" })`, `"m"`, "application/json"],
];

test("S50 headers of every form go out with bodies of every kind", async () => {
  const kinds = [`"text"`, `{ n: 1 }`, `new Blob(["b"], { type: "text/css" })`, `new Blob(["s"]).stream()`];
  const texts = ["text", `{"n":1}`, "b", "s"];
  const cases = headerForms.flatMap((headers) =>
    kinds.map((body, at) => ({ answer: `{ status: 201, headers: ${headers}, body: ${body} }`, text: texts[at] })),
  );
  const found = await allOf(cases.map(({ answer }) => answer));
  for (const { answer, text } of cases) expect(found[answer], answer).toMatchObject({ status: 201, own: "1", text });
});

test("S50 a header of several values is sent several times, in every form of headers", async () => {
  const cases = [
    `{ "set-cookie": ["a=1", "b=2"] }`,
    `new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"]])`,
    `new Map([["set-cookie", ["a=1", "b=2"]]])`,
    `[["set-cookie", "a=1"], ["Set-Cookie", "b=2"]]`,
  ].map((headers) => `{ status: 200, headers: ${headers} }`);
  for (const [answer, { cookies }] of Object.entries(await allOf(cases)))
    expect(cookies, answer).toEqual(["a=1", "b=2"]);
});

test("S50 a body is text, bytes, a stream, or an object that fetch knows, else JSON, with the type that it implies", async () => {
  const found = await allOf(bodies.map(([body]) => `{ status: 200, body: ${body} }`));
  const seen = Object.values(found).map(({ status, text, type }) => [status, text, type]);
  expect(seen).toEqual(bodies.map(([, text, type]) => [200, text, type]));
});

test("S50 a content type among the headers replaces the one of the body", async () => {
  const forms = [
    `{ "Content-Type": "text/own" }`,
    `new Headers({ "content-type": "text/own" })`,
    `[["CONTENT-TYPE", "text/own"]]`,
  ];
  const implied = [`new Blob(["b"], { type: "text/html" })`, `new URLSearchParams({ a: "1" })`, `{ a: 1 }`];
  const cases = forms.flatMap((headers) =>
    implied.map((body) => `{ status: 200, headers: ${headers}, body: ${body} }`),
  );
  for (const [answer, { type }] of Object.entries(await allOf(cases))) expect(type, answer).toBe("text/own");
});

test("S50 a form is sent as multipart, with its files", async () => {
  const source = await responder(`
    const form = new FormData();
    form.set("a", "1");
    form.set("file", new File([Uint8Array.of(0, 255)], "f.bin", { type: "application/octet-stream" }));
    this.http.respond({ status: 200, body: form });`);
  const form = await (await service.hit(source)).formData();
  expect(form.get("a")).toBe("1");
  const file = form.get("file") as File;
  expect([file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
    "f.bin",
    "application/octet-stream",
    [0, 255],
  ]);
});

test("S50 a Response is an answer: its status, headers and body", async () => {
  const cases: readonly (readonly [string, Partial<Answer>])[] = [
    [`new Response("r", { status: 201, headers: { "x-a": "1" } })`, { status: 201, own: "1", text: "r" }],
    [`new Response("r")`, { status: 200, type: "text/plain;charset=UTF-8", text: "r" }],
    [`Response.json({ a: 1 }, { status: 404 })`, { status: 404, type: "application/json", text: `{"a":1}` }],
    [`new Response(null, { status: 204 })`, { status: 204, text: "" }],
    [`new Response(new Blob(["s"]).stream(), { headers: [["set-cookie", "a=1"]] })`, { text: "s", cookies: ["a=1"] }],
    [`new Response(new Blob(["b"], { type: "text/css" }))`, { type: "text/css", text: "b" }],
    [`new Response("r").clone()`, { status: 200, text: "r" }],
  ];
  const found = await allOf(cases.map(([answer]) => answer));
  for (const [answer, wanted] of cases) expect(found[answer], answer).toMatchObject(wanted);
});

test("S50 a Response that was received is passed on, without the headers of its connection", async () => {
  const inner = await service.deploy(
    component({
      name: "Inner",
      props: customHttp,
      run: `this.http.respond({ status: 203, headers: { "x-a": "1", "content-type": "text/css" }, body: "inner" })`,
    }),
  );
  const { endpoint_url: url } = inner.configured_props["http"] as { readonly endpoint_url: string };
  const source = await responder(`return this.http.respond(await fetch(${JSON.stringify(url)}))`);
  const response = await service.hit(source);
  expect([response.status, response.headers.get("x-a"), response.headers.get("content-type")]).toEqual([
    203,
    "1",
    "text/css",
  ]);
  expect(await response.text()).toBe("inner");
});

const answers = "respond takes an object with status, headers and body, or a Response; got";
const headers = "respond: headers must be a plain object, Headers, a Map, or pairs of name and value, got";
const body = "respond: body must be text, bytes, a Blob, URLSearchParams, FormData, a stream or JSON data, got";

/** Arguments that are refused at the call, and the error. */
const refused: readonly (readonly [answer: string, message: string])[] = [
  [`"text"`, `TypeError: ${answers} text`],
  [`undefined`, `TypeError: ${answers} undefined`],
  [`() => 1`, `TypeError: ${answers} a function`],
  [`Promise.resolve({ status: 200 })`, `TypeError: ${answers} a Promise: await it first`],
  [`Response.error()`, "RangeError: respond: status must be an integer from 100 to 599, got 0"],
  ...(
    [
      [`"x-a: 1"`, `${headers} text`],
      [`null`, `${headers} null`],
      [`1`, `${headers} a number`],
      [`() => 1`, `${headers} a function`],
      [`new Date(0)`, `${headers} a Date`],
      [`Promise.resolve({})`, `${headers} a Promise`],
      [`new (class Own { a = 1 })()`, `${headers} an Own`],
      [`["x-a", "1"]`, `${headers} a list that holds text where a pair should be`],
      [`[["x-a"]]`, `${headers} a list of 1 where a pair should be`],
      [`[["x-a", "1", "2"]]`, `${headers} a list of 3 where a pair should be`],
      [`new Set(["x-a"])`, `${headers} a Set that holds text where a pair should be`],
      [`new Uint8Array(2)`, `${headers} a Uint8Array that holds a number where a pair should be`],
      [`new Map([[1, "x"]])`, "respond: a header name must be text, got a number"],
      [`[["a b", "1"]]`, `respond: header name "a b" is not valid`],
      [
        `new Map([["Connection", "close"]])`,
        `respond: header "Connection" belongs to the connection and cannot be set`,
      ],
      [`[["x-a", "a\\nb"]]`, `respond: the value of header "x-a" holds characters that are not allowed`],
      [`{ a: { b: 1 } }`, `respond: the value of header "a" must be text, a number or a list of them, got an object`],
      [`{ a: new Map() }`, `respond: the value of header "a" must be text, a number or a list of them, got a Map`],
      [`{ a: ["1", null] }`, `respond: a value of header "a" must be text, a number or a list of them, got null`],
      [`[["a", [["1"]]]]`, `respond: a value of header "a" must be text, a number or a list of them, got a list`],
    ] as const
  ).map(([given, message]) => [`{ status: 200, headers: ${given} }`, `TypeError: ${message}`] as const),
  ...(
    [
      [`() => 1`, `${body} a function`],
      [`Symbol("s")`, `${body} a symbol`],
      [`Promise.resolve("late")`, `${body} a Promise: await it first`],
      [`new Map([["a", 1]])`, `${body} a Map: use Object.fromEntries(map)`],
      [`new Set([1])`, `${body} a Set: use [...set]`],
      [`new Error("e")`, `${body} an Error: give its message`],
      [`/a/`, `${body} a RegExp: give its source`],
      [`new Headers()`, `${body} Headers: use Object.fromEntries(headers)`],
      [`new WeakMap()`, `${body} a WeakMap without a field that JSON can hold`],
      [`{ n: 1n }`, "respond: body.n is a BigInt, which JSON cannot hold"],
      [`((list) => (list.push(list), list))([])`, "respond: body[0] refers back to an object that contains it"],
      [
        `((stream) => (stream.getReader(), stream))(new Blob(["s"]).stream())`,
        "respond: body is a stream that something else reads or has read",
      ],
    ] as const
  ).map(([given, message]) => [`{ status: 200, body: ${given} }`, `TypeError: ${message}`] as const),
  [
    `((used) => (void used.text(), used))(new Response("r"))`,
    "TypeError: respond: the body of the Response has been read already",
  ],
  [
    `new Response("r", { headers: { connection: "close" } })`,
    `TypeError: respond: header "connection" belongs to the connection and cannot be set`,
  ],
];

test("S50 everything else is refused at the call, with what was expected and what came", async () => {
  const found = await allOf(refused.map(([answer]) => answer));
  for (const [answer, text] of refused)
    expect(found[answer], answer).toMatchObject({ status: 299, thrown: "at the call", text });
});

test("S50 a stream that fails rejects respond, and another answer can be given", async () => {
  const wrong: readonly (readonly [body: string, text: string])[] = [
    [`(async function* () { yield "a"; throw new RangeError("broken"); })()`, "RangeError: broken"],
    [
      `ReadableStream.from([{ a: 1 }])`,
      "TypeError: respond: the parts of a stream must be text or bytes, got an object",
    ],
  ];
  const found = Object.values(await allOf(wrong.map(([given]) => `{ status: 200, body: ${given} }`)));
  expect(found.map(({ status, thrown, text }) => [status, thrown, text])).toEqual(
    wrong.map(([, text]) => [299, "later", text]),
  );
});

test("S50 a body holds at most responseBytes, and an endless stream is stopped", async () => {
  const engine = await createEngine({ workers: 1, limits: { responseBytes: 1_000 } });
  try {
    await using tight = await startService({ engine });
    const given = [
      `"x".repeat(1_001)`,
      `(async function* () { try { for (;;) yield "x".repeat(100); } finally { console.log("stopped"); } })()`,
      `new Response(ReadableStream.from((function* () { for (;;) yield "x".repeat(100); })())).body`,
      `(async function* () { yield "x".repeat(1_000); })()`,
    ];
    const source = await answering(
      given.map((each) => `{ status: 200, body: ${each} }`),
      tight,
    );
    const found: Answer[] = [];
    for (const of of given.keys()) found.push(await answerOf(source, of, tight));
    const most = "ResponseTooLargeError: The body of a response must be at most 1000 bytes";
    const endless = [299, "later", `${most}, and the stream holds more`];
    expect(found.map(({ status, thrown, text }) => [status, thrown, text])).toEqual([
      [299, "at the call", `${most}, got 1001`],
      endless,
      endless,
      [200, null, "x".repeat(1_000)],
    ]);
    await tight.runtime.idle();
    expect(await tight.events(source.id, "$logs/")).toMatchObject([{ event: { msg: "stopped" } }]);
  } finally {
    await engine.close();
  }
});

const slow = `(async function* () { yield "a"; await new Promise((done) => setTimeout(done, 20)); yield "b"; })()`;

test("S50 a run that does not await respond answers when the stream has been read", async () => {
  const source = await responder(`this.http.respond({ status: 201, body: ${slow} });`);
  const response = await service.hit(source);
  expect([response.status, await response.text()]).toEqual([201, "ab"]);
  await service.runtime.idle();
  expect(await service.events(source.id, "$errors/")).toEqual([]);
  expect(await service.events(source.id, "$logs/")).toEqual([]);
});

test("S50 the first answer counts also while its stream is read, and the second one warns", async () => {
  const source = await responder(
    `this.http.respond({ status: 201, body: ${slow} }); this.http.respond({ status: 500 });`,
  );
  const response = await service.hit(source);
  expect([response.status, await response.text()]).toEqual([201, "ab"]);
  await service.runtime.idle();
  expect(JSON.stringify(await service.events(source.id, "$logs/"))).toContain(
    "respond was called again; the first answer is sent when its body has been read",
  );
});

test("S50 `$.respond` of a workflow takes the same, and its run waits for a stream", async () => {
  const trial = createWorkflowTrial(service);
  const answered = async (answer: string): Promise<readonly unknown[]> => {
    const code = oneStep(`$.respond(${answer})`, "", "trigger: { type: 'http', customResponse: true },");
    const { endpointUrl = "" } = await trial.register({ code });
    const response = await fetch(service.url + new URL(endpointUrl).pathname);
    return [response.status, await response.text()];
  };
  expect(await answered(`new Response("r", { status: 201 })`)).toEqual([201, "r"]);
  expect(await answered(`{ status: 202, headers: new Map(), body: ${slow} }`)).toEqual([202, "ab"]);
});
