import { afterAll, describe, expect, it } from "vitest";

import { createEngine } from "../engine.ts";
import type { EngineOptions } from "../api/options.ts";
import { createRuntime } from "../runtime.ts";

interface Mistake {
  readonly body: string;
  /** As a Node author expects it; Node's own engine says the same, unless it says more. */
  readonly message: string;
  readonly inNode?: string;
  readonly name?: string;
  readonly hint?: string;
}

const promise = (name: string, call: string): string => `${name} is a promise: await ${call}`;
const noMember = (name: string): string => `this.${name} is not there: declare`;

const mistakes: readonly Mistake[] = [
  { body: `this.github.getStars();`, message: "this.github.getStars is not a function" },
  { body: `missing();`, name: "ReferenceError", message: "missing is not defined" },
  { body: `early; let early = 1;`, name: "ReferenceError", message: "Cannot access 'early' before initialization" },
  {
    body: `event.list.map((x) => x);`,
    message: "Cannot read properties of undefined (reading 'map')",
    hint: "event.list is undefined",
  },
  {
    body: `event.list[0].id;`,
    message: "Cannot read properties of undefined (reading '0')",
    hint: "event.list is undefined",
  },
  { body: `event.a.b = 1;`, message: "Cannot set properties of undefined (setting 'b')", hint: "event.a is undefined" },
  {
    body: `const a = { b: {} }; await a.b.c.get("x");`,
    message: "Cannot read properties of undefined (reading 'get')",
    hint: "a.b.c is undefined",
  },
  { body: `const items = 5; for (const item of items);`, message: "items is not iterable" },
  { body: `const a = {}; return [...a.list];`, message: "a.list is not iterable" },
  { body: `Object.keys(event.missing);`, message: "Cannot convert undefined or null to object" },
  {
    body: `const { a } = event.missing;`,
    message: "Cannot destructure property 'a' of 'event.missing' as it is undefined or null",
    inNode: "Cannot destructure property 'a' of 'event.missing' as it is undefined.",
  },
  { body: `const K = {}; new K();`, message: "K is not a constructor" },
  { body: `[1].map(this.nope);`, message: "this.nope is not a function", inNode: "undefined is not a function" },
  { body: `const dive = () => dive() + 1; dive();`, name: "RangeError", message: "Maximum call stack size exceeded" },
  { body: `let text = "x"; for (;;) text += text;`, name: "RangeError", message: "Invalid string length" },
  {
    body: `JSON.parse("<html>");`,
    name: "SyntaxError",
    message: "Unexpected token '<', the text is not valid JSON",
    inNode: `Unexpected token '<', "<html>" is not valid JSON`,
  },
  { body: `JSON.parse(event.missing);`, name: "SyntaxError", message: `"undefined" is not valid JSON` },
  { body: `new Date(NaN).toISOString();`, name: "RangeError", message: "Invalid time value" },
  {
    body: `this.emit({});`,
    message: "this.emit is not a function",
    hint: "this.emit does not exist: components emit with this.$emit(event, { id, summary, ts })",
  },
  {
    body: `this.db.get("seen");`,
    message: "Cannot read properties of undefined (reading 'get')",
    hint: `${noMember("db")} it as a prop, props: { db: "$.service.db" }`,
  },
  {
    body: `this.cursors.set("seen", 1);`,
    message: "Cannot read properties of undefined (reading 'set')",
    hint: `${noMember("cursors")} it as a prop, props: { cursors: "$.service.db" }`,
  },
  {
    body: `this.http.respond({ status: 200 });`,
    message: "Cannot read properties of undefined (reading 'respond')",
    hint: `${noMember("http")} it as a prop, props: { http: "$.interface.http" }`,
  },
  {
    body: `this.label.trim();`,
    message: "Cannot read properties of undefined (reading 'trim')",
    hint: `this.label has no value: the prop "label" is not configured`,
  },
  {
    body: `const items = this.list(); for (const item of items);`,
    message: "items is not iterable",
    hint: promise("items", "this.list()"),
  },
  {
    body: `const items = this.list(); items.map((x) => x);`,
    message: "items.map is not a function",
    hint: promise("items", "this.list()"),
  },
  {
    body: `this.list().map((x) => x);`,
    message: "this.list().map is not a function",
    inNode: "this.list(...).map is not a function",
    hint: promise("this.list()", "this.list()"),
  },
  {
    body: `const answer = fetch("http://a.example"); answer.headers.get("a");`,
    message: "Cannot read properties of undefined (reading 'get')",
    hint: promise("answer", "fetch(…)"),
  },
  {
    body: `process.env.TOKEN.trim();`,
    message: "Cannot read properties of undefined (reading 'trim')",
    hint: "process.env is empty in components: declare a prop, and read this.<prop>",
  },
  {
    body: `require("node:fs").readFileSync("/etc/passwd");`,
    name: "Error",
    message: "ENOENT: no such file or directory, open '/etc/passwd'",
    hint: "components have a file system in memory that has only /tmp: they cannot access files of the host",
  },
  // What the component itself throws stays as it is.
  { body: `throw new TypeError("not a function");`, message: "not a function" },
  { body: `throw new TypeError("value is not iterable");`, message: "value is not iterable" },
];

const engines: readonly (readonly [string, EngineOptions])[] = [
  ["in the sandbox", { workers: 0 }],
  ["in Node", { sandbox: "node" }],
];

const componentOf = (body: string): string => `export default {
  name: "Words", version: "1",
  props: { github: { type: "app", app: "github", optional: true }, label: { type: "string", optional: true } },
  methods: { async list() { return []; } },
  async run(event) {
    ${body}
  },
};`;

describe.each(engines)("errors in terms that authors know, %s", (engine, options) => {
  const opening = createEngine(options).then((made) => createRuntime({ engine: made }));
  afterAll(async () => (await opening).close());

  it.each(mistakes.map((each) => [each.body, each] as const))(
    "%s",
    async (_body, { body, name = "TypeError", message, inNode, hint }) => {
      const runtime = await opening;
      const { source } = await runtime.deploy({ code: componentOf(body) });
      const { error, logs } = await runtime.invoke(source.id);
      const expected = engine === "in Node" ? (inNode ?? message) : message;
      expect([error?.name, error?.message.split("\n")[0], error?.hint]).toEqual([name, expected, hint]);
      expect(error?.stack.split("\n")[0]).toBe(`${name}: ${expected}`);
      // Streams say the same.
      expect(logs.at(-1)?.err).toEqual({ name, message: error?.message, stack: error?.stack, ...(hint && { hint }) });
      const [stored] = (await runtime.storedEvents(source.id, "$errors", { limit: 1 })).items;
      expect((JSON.parse(stored?.payload ?? "{}") as { error: object }).error).toMatchObject({
        msg: error?.message,
        ...(hint && { hint }),
      });
    },
  );

  it("code itself sees the original messages of the engine", async () => {
    const runtime = await opening;
    const body = `try { this.github.getStars(); } catch (error) { this.$emit([error.message, Object.keys(error)]); }`;
    const { source } = await runtime.deploy({ code: componentOf(body) });
    await runtime.invoke(source.id);
    const [stored] = (await runtime.storedEvents(source.id, "emits", { limit: 1 })).items;
    expect(JSON.parse(stored?.payload ?? "")).toEqual([
      engine === "in Node" ? "this.github.getStars is not a function" : "not a function",
      [],
    ]);
  });

  it("logged errors and unhandled rejections have these messages too", async () => {
    const runtime = await opening;
    const body = `try { this.github.getStars(); } catch (error) { console.error("failed:", error); }\n(async () => this.github.getIssues())();`;
    const { source } = await runtime.deploy({ code: componentOf(body) });
    const { logs } = await runtime.invoke(source.id);
    expect(logs.map(({ msg = "" }) => msg.split("\n")[0])).toEqual([
      "failed: TypeError: this.github.getStars is not a function",
      "A promise was rejected and nobody handled it: TypeError: this.github.getIssues is not a function",
    ]);
  });

  it("failing modules and hooks are refused with this message", async () => {
    const runtime = await opening;
    const module = `const settings = {};\nsettings.names.map((x) => x);\nexport default { name: "M", version: "1", run() {} };`;
    await expect(runtime.deploy({ code: module })).rejects.toMatchObject({
      code: "invalid_component",
      message: expect.stringMatching(
        /component\.js:2:\d+: TypeError: Cannot read properties of undefined \(reading 'map'\)/,
      ),
      details: { hint: "settings.names is undefined" },
    });
    const hook = `export default { name: "H", version: "1", hooks: { deploy() { this.db.set("a", 1); } }, run() {} };`;
    await expect(runtime.deploy({ code: hook })).rejects.toMatchObject({
      code: "hook_failed",
      message: expect.stringContaining("Cannot read properties of undefined (reading 'set')"),
      details: { hint: expect.stringContaining(`props: { db: "$.service.db" }`) },
    });
  });
});
