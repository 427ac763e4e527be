import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { createLocator } from "./finding.ts";
import { lintComponent, shortestSeconds, soundsSecret } from "./rules.ts";

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
});
afterAll(() => runtime.close());

/** A component with everything that is recommended, and these members. */
const componentOf = (members: string, before = ""): string =>
  `${before}export default {\n  name: "a", version: "1", key: "a-b", description: "Emits a",\n  ${members}\n};`;

async function lint(members: string, before?: string): Promise<{ rule: string; prop?: string; line?: number }[]> {
  const component = await runtime.saveComponent({ code: componentOf(members, before) });
  const texts = await runtime.componentTexts(component.id);
  const locationOf = createLocator(texts, "");
  return lintComponent({ ...component, ...texts }).map(({ rule, prop, offset }) => {
    const line = offset === undefined ? undefined : locationOf(offset)?.line;
    return { rule, ...(prop !== undefined && { prop }), ...(line !== undefined && { line }) };
  });
}

const rulesOf = async (members: string, before?: string): Promise<string[]> =>
  (await lint(members, before)).map(({ rule, prop }) => (prop === undefined ? rule : `${rule} ${prop}`));

test("a component with nothing to say about is left in peace", async () => {
  expect(
    await lint(`dedupe: "unique",
    props: {
      token: { type: "string", secret: true },
      size: { type: "integer", optional: true, default: 3 },
      kind: { type: "string", options: ["a", { label: "B", value: "b" }] },
      timer: { type: "$.interface.timer", default: { intervalSeconds: 15 } },
    },
    run() { this.$emit({ t: this.token, s: this.size, k: this.kind }, { id: 1 }); },`),
  ).toEqual([]);
});

test("a key and a description are recommended", async () => {
  const component = await runtime.saveComponent({ code: 'export default { name: "a", version: "1", run() {} };' });
  const texts = await runtime.componentTexts(component.id);
  expect(lintComponent({ ...component, ...texts })).toMatchObject([
    { rule: "missing-key", severity: "info" },
    { rule: "missing-description", severity: "info" },
  ]);
});

test("a problem in the declaration of a prop is reported with its line", async () => {
  const found = await lint(`props: {
      size: { type: "integer", default: 3 },
      apiKey: { type: "string" },
      timer: { type: "$.interface.timer", default: { intervalSeconds: 5 } },
      kind: { type: "string", options: [{ value: "b" }] },
    },
    run() { this.$emit([this.size, this.apiKey, this.kind]); },`);
  expect(found).toEqual([
    { rule: "default-on-required", prop: "size", line: 4 },
    { rule: "secret-not-marked", prop: "apiKey", line: 5 },
    { rule: "fast-timer", prop: "timer", line: 6 },
    { rule: "option-without-label", prop: "kind", line: 7 },
  ]);
});

test.each([
  "this.$emit()",
  "this.$emit(event)",
  "this.$emit(event.body)",
  "this.$emit({ a: 1 })",
  "this.$emit({ a: [1, 'b)'] })",
  "this.$emit(make(event))",
  "this.$emit(`${event} at`)",
  "this?.$emit(event)",
  "this['$emit'](event)",
  "this.$emit(event, { summary: 'x', ts: 1 })",
  "this.$emit(event, {})",
  "[1].map((n) => this.$emit({ n }))",
])("under dedupe %s is certain to throw", async (call) => {
  const run = `run(event) {\n ${call};\n },`;
  const before = "const make = (event) => event;\n";
  expect(await lint(`dedupe: "unique", ${run}`, before)).toEqual([{ rule: "emit-without-id", line: 5 }]);
  expect(await lint(run, before)).toEqual([]);
});

test.each([
  "this.$emit(event, { id: 1 })",
  "this.$emit(event, { ...event })",
  "this.$emit(event, { [event.name]: 1 })",
  "this.$emit(event, event.meta)",
  "this.$emit(...event)",
  "other.$emit(event)",
  "text = 'this.$emit(event)'",
  "true // this.$emit(event)",
])("nothing is reported for %s", async (call) => {
  expect(await lint(`dedupe: "unique", run(event) { ${call}\n },`, "let text; const other = {};\n")).toEqual([]);
});

test.each([
  "const self = this; self.$emit(event)",
  "const { $emit } = this; $emit(event)",
  "const emit = this.$emit; emit(event)",
  "this.$emit(event, { id: undefined })",
  "this.$emit(event, null)",
  "this.$emit(event, event ? { ts: 1 } : undefined)",
  "const meta = { summary: 'x' }; this.$emit(event, meta)",
  "this.$emit(event, this.meta(event))",
  "this.$emit(event, this.arrow(event))",
])("under dedupe %s is certain to throw, by whatever name", async (call) => {
  const members = `dedupe: "greatest", methods: { meta(it) { if (it) return { ts: 1 }; return { summary: "s" }; }, arrow: (it) => ({ ts: it }) },`;
  expect(await rulesOf(`${members} run(event) { ${call}; },`)).toEqual(["emit-without-id"]);
});

test.each([
  "const meta = { summary: 'x' }; meta.id = 1; this.$emit(event, meta)",
  "const meta = { summary: 'x' }; fill(meta); this.$emit(event, meta)",
  "let meta = { summary: 'x' }; this.$emit(event, meta)",
  "const { meta } = event; this.$emit(event, meta)",
  "this.$emit(event, this.some(event))",
  "this.$emit(event, this.all(event))",
  "this.$emit(event, this.spread(event))",
  "const $emit = (it) => it; $emit(event)",
  "const self = event; self.$emit(event)",
])("%s may have an id: nothing is reported", async (call) => {
  const methods = `methods: { some(it) { if (it) return { id: 1 }; return {}; }, all(it) { return [1].map(() => { return {}; })[0] ?? it; }, spread: (it) => ({ ...it }) },`;
  expect(
    await rulesOf(`dedupe: "last", ${methods} run(event) { ${call}; },`, "const fill = (it) => { it.id = 1; };\n"),
  ).toEqual([]);
});

test.each([
  ["run: (event) => { this.$emit(event); },", 4],
  ["run: async () => {\n const { $emit } = this;\n $emit(1); },", 4],
  ["methods: { list: async () => [1].map((n) => this.size + n) }, run() { this.$emit(this.list()); },", 4],
  ["hooks: {\n activate: () => this.db.set('a', 1) }, run() {},", 5],
  ["additionalProps: async () => ({ more: this.size }), run() {},", 4],
  ["run() { this.$emit(this.team); },", 3],
])("%s is an arrow function with this, in both kinds of modules", async (members, line) => {
  const options = line === 3 ? ", options: () => [this.db.get('a')]" : "";
  const text = componentOf(
    `props: { size: { type: "integer" }, db: "$.service.db", team: { type: "string"${options} } },\n ${members}`,
  );
  for (const code of [text, text.replace("export default", "module.exports =")]) {
    const component = await runtime.saveComponent({ code });
    const texts = await runtime.componentTexts(component.id);
    const found = lintComponent({ ...component, ...texts }).filter(({ rule }) => rule === "arrow-function");
    expect(found).toMatchObject([{ severity: "error" }]);
    expect(createLocator(texts, "")(found[0]?.offset ?? 0)).toMatchObject({ line });
  }
});

test("arrow functions without this, and those inside of methods, are left in peace", async () => {
  expect(
    await rulesOf(`props: { size: { type: "integer" } }, methods: { plain: (a) => a, inner() { return [1].map(() => this.size); } },
    run() { const job = { run: () => this.plain(1) }; this.$emit([job.run(), this.inner()]); },`),
  ).toEqual([]);
});

test("respond of a prop without customResponse is reported, by whatever name", async () => {
  const run = `run() {\n this.http.respond({ status: 200 });\n const { http, other } = this;\n http.respond({});\n other.respond({}); },`;
  const props = `props: { http: "$.interface.http", other: { type: "$.interface.http", customResponse: true } },`;
  expect(await lint(`${props} ${run}`)).toEqual([
    { rule: "respond-ignored", prop: "http", line: 4 },
    { rule: "respond-ignored", prop: "http", line: 6 },
  ]);
});

test.each([
  ["this.$emit(new Map())", 1],
  ["this.$emit({ a: [new Set([1])], b: { c: new Error('x') } })", 2],
  ["const seen = new Map(); this.$emit({ seen, size: seen.size })", 1],
  ["this.$emit({ answer: fetch('http://127.0.0.1') })", 1],
  ["this.$emit({ call() {}, other: () => 1 })", 2],
  ["this.db.set('seen', new Set())", 1],
  ["const { db } = this; db.set('seen', { at: new Map() })", 1],
  ["await this.shop.set('seen', new Set())", 1],
  ["this.$emit([...new Set([1])])", 0],
  ["this.$emit(Object.fromEntries(new Map()))", 0],
  ["this.$emit({ at: new Date(), url: new URL('http://a'), own: new Own() })", 0],
  ["this.$emit({ text: 'new Map()', n: new Map().size })", 0],
  ["const seen = new Map(); seen.set('a', new Map())", 0],
  ["this.$emit({ toJSON() { return 1; }, map: new Map() })", 0],
])("%s gives JSON %i things that it does not keep", async (call, count) => {
  const found = await rulesOf(
    `props: { db: "$.service.db", shop: { type: "data_store" } }, async run() { this.db.get("a"); await this.shop.get("a"); ${call}; },`,
    "class Own {}\n",
  );
  expect(found).toEqual(Array.from({ length: count }, () => "lost-in-json"));
});

test.each([
  ["const key = process.env.ACME_KEY;", 1],
  ["const key = process.env['ACME_KEY'] ?? 'x';", 1],
  ["const { A, B: b } = process.env; const key = [A, b];", 2],
  ["const key = process.env.NODE_ENV;", 0],
  ["process.env.TZ = 'UTC'; const key = Object.keys(process.env);", 0],
  ["const key = 'process.env.ACME_KEY';", 0],
])("%s reads %i variables that there are not", async (before, count) => {
  expect(await rulesOf(`run() { this.$emit(key); },`, `${before}\n`)).toEqual(
    Array.from({ length: count }, () => "process-env"),
  );
});

test("a module that awaits at its top level is read too", async () => {
  const before = "const value = await Promise.resolve(1);\n";
  expect(await lint(`dedupe: "unique", run() { this.$emit(value); },`, before)).toEqual([
    { rule: "emit-without-id", line: 4 },
  ]);
});

test("a prop that no code can read is reported, also when descriptions name it", async () => {
  const props = `props: {
    used: { type: "string" }, taken: { type: "string" },
    idle: { type: "string", label: "The idle one", description: "An idle prop" },
    timer: "$.interface.timer", http: "$.interface.http",
  },`;
  expect(await rulesOf(`${props} run() { const { taken } = this; this.$emit([this.used, taken]); },`)).toEqual([
    "unused-prop idle",
  ]);
});

test("a prop that only a text or a key of the same name mentions is used, as far as is known", async () => {
  const props = `props: { idle: { type: "string" } },`;
  for (const run of [
    `run() { this.$emit({ idle: 1 }); }`,
    `run() { this.$emit("the idle one"); }`,
    `run() { this.$emit(this["idle"]); }`,
    `run() { this.$emit(\`idle\`); }`,
  ])
    expect(await rulesOf(`${props} ${run},`)).toEqual([]);
});

test("a prop has its place in props, wherever else its name is a key", async () => {
  const found = await lint(`props: {\n apiKey: { type: "string" } },
    run() { this.$emit({ apiKey: 1 }); },`);
  expect(found).toEqual([{ rule: "secret-not-marked", prop: "apiKey", line: 4 }]);
});

test.each([
  ["a computed member", "run(event) { this.$emit(this[event.name]); }"],
  ["the component given away", "run() { this.$emit(Object.keys(this)); }"],
  ["a rest of names", "run() { const { $emit, ...rest } = this; $emit(rest); }"],
  ["another name for it", "run() { const self = this; self.$emit(self.props); }"],
])("%s may be any prop: nothing is reported", async (_, run) => {
  expect(await rulesOf(`props: { idle: { type: "string" } }, ${run},`)).toEqual([]);
});

test("names that suggest a secret are recognized", () => {
  const secret = ["token", "apiKey", "api_key", "accessToken", "clientSecret", "password", "dbPassword", "PRIVATE_KEY"];
  expect(secret.filter((name) => !soundsSecret(name))).toEqual([]);
  const open = [
    "pageToken",
    "page_token",
    "nextToken",
    "key",
    "publicKey",
    "secretName",
    "tokens",
    "maxTokens",
    "tokenId",
  ];
  expect(open.filter(soundsSecret)).toEqual([]);
});

test("the shortest time of a timer is known where it is written plainly", () => {
  const cron = (text: string): number | undefined => shortestSeconds({ cron: text });
  const crons = ["*/5 * * * * *", "* * * * * *", "0 * * * * *", "* * * * *"];
  expect(crons.map(cron)).toEqual([5, 1, 60, undefined]);
  expect([shortestSeconds({ intervalSeconds: 9 }), shortestSeconds({ interval_seconds: 20 })]).toEqual([9, 20]);
  expect([shortestSeconds(undefined), shortestSeconds({})]).toEqual([undefined, undefined]);
});
