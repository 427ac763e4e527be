import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ConfigureInput, OptionsAnswer } from "../../../runtime/src/api/api.ts";
import type { Json } from "../../../model/src/model.ts";
import { componentText, openTrial, type Trial } from "../../../runtime/src/runtime.cases.ts";

/** Options as real components use them. */

const timeoutMs = 200;
let trial: Trial;
/** For code that never ends. */
let hasty: Trial;
beforeAll(async () => {
  const memoryBytes = 64 * 1024 * 1024;
  trial = await openTrial({ accounts: ({ app, id }) => ({ token: `${app} ${id}` }), limits: { memoryBytes } });
  hasty = await openTrial({ limits: { optionsTimeoutMs: timeoutMs, memoryBytes } });
});
afterAll(() => Promise.all([trial.runtime.close(), hasty.runtime.close()]));

type Asked = Omit<ConfigureInput, "id" | "sourceId">;
const ask = async (members: string, asked: Asked, before = "", { runtime } = trial): Promise<OptionsAnswer> => {
  const { id } = await runtime.saveComponent({ code: before + componentText(`${members} run() {},`) });
  return runtime.configure({ id, ...asked });
};
/** Options whose only choice has their argument as its value. */
const received = async (members: string, asked: Asked, before = ""): Promise<Json | undefined> => {
  const answer = await ask(members, asked, before);
  expect(answer.errors).toEqual([]);
  return answer.options[0]?.value;
};
const echo = "options(received) { return [{ label: 'received', value: received }] }";
const account = (id: string): { authProvisionId: string } => ({ authProvisionId: id });

const appText = (members: string, name = "acme"): string =>
  `const ${name} = { type: "app", app: "${name}", ${members} };\n`;
const who = "async options() { return [{ label: 'who', value: await this.who() }] }";
const whoMethods = `methods: {
  _headers() { return { authorization: this.$auth?.token ?? "none" } },
  async who() { return this._headers().authorization } },`;

describe("options receive", () => {
  it("page and prevContext alone when the prop has options of its own", async () => {
    expect(await received(`props: { p: { type: "string", ${echo} } },`, { propName: "p" })).toEqual({
      page: 0,
      prevContext: {},
    });
  });

  it("page, prevContext and query as the caller gives them", async () => {
    const members = `props: { p: { type: "string", useQuery: true, ${echo} } },`;
    expect(await received(members, { propName: "p", page: 3, prevContext: "cursor", query: "inv" })).toEqual({
      page: 3,
      prevContext: "cursor",
      query: "inv",
    });
  });

  const inherited = appText(`propDefinitions: { list: { type: "string", ${echo} } }`);
  const refer = (inputs: string, more = ""): string =>
    `props: { acme, board: { type: "string", optional: true, default: "b0" }, pick: { type: "string", withLabel: true, optional: true },
      list: { propDefinition: [acme, "list"${inputs}], ${more} } },`;

  it("inputs that are an object", async () => {
    expect(await received(refer(`, { a: 1, deep: { b: [2] } }`), { propName: "list" }, inherited)).toEqual({
      a: 1,
      deep: { b: [2] },
      page: 0,
      prevContext: {},
    });
  });

  it("inputs that a function computes from earlier values, defaults included", async () => {
    const inputs = `, (c) => ({ board: c.board, pick: c.pick, names: Object.keys(c).sort() })`;
    expect(await received(refer(inputs), { propName: "list" }, inherited)).toMatchObject({
      board: "b0",
      names: ["board"],
    });
    const configuredProps = {
      board: { __lv: { label: "B", value: "b9" } },
      pick: { __lv: { label: "P", value: "p1" } },
    };
    expect(await received(refer(inputs), { propName: "list", configuredProps }, inherited)).toMatchObject({
      board: "b9",
      pick: { label: "P", value: "p1" },
    });
  });

  it("R054 inputs never replace page, prevContext and a given query", async () => {
    const inputs = `, () => ({ page: 9, prevContext: "x", query: "y", own: 1 })`;
    expect(await received(refer(inputs), { propName: "list", query: "q" }, inherited)).toEqual({
      page: 0,
      prevContext: {},
      query: "q",
      own: 1,
    });
  });

  it("inputs of a promise, and none for undefined inputs", async () => {
    expect(await received(refer(`, async () => ({ a: 1 })`), { propName: "list" }, inherited)).toMatchObject({ a: 1 });
    expect(await received(refer(`, () => null`), { propName: "list" }, inherited)).toEqual({
      page: 0,
      prevContext: {},
    });
  });

  it("the inputs of both references when a definition refers to another", async () => {
    const outer = `${inherited}const outer = { type: "app", app: "outer", propDefinitions: {
      list: { propDefinition: [acme, "list", (c) => ({ inner: c.fromOuter, board: c.board })], label: "Outer" } } };\n`;
    const members = `props: { outer, board: "string", list: { propDefinition: [outer, "list", (c) => ({ fromOuter: c.board + "!" })] } },`;
    expect(await received(members, { propName: "list", configuredProps: { board: "b1" } }, outer)).toEqual({
      fromOuter: "b1!",
      inner: "b1!",
      board: "b1",
      page: 0,
      prevContext: {},
    });
  });

  it("three pages by context, each as it was returned", async () => {
    const members = `props: { p: { type: "string", options({ page, prevContext }) {
      const cursor = prevContext.cursor ?? "start";
      return { options: [cursor + page], context: page === 2 ? null : { cursor: cursor + ".", list: [page] } } } } },`;
    const seen: (readonly string[] | null)[] = [];
    let context: Json = null;
    for (const page of [0, 1, 2]) {
      const answer = await ask(members, { propName: "p", page, prevContext: context });
      seen.push(answer.stringOptions);
      ({ context } = answer);
    }
    expect(seen).toEqual([["start0"], ["start.1"], ["start..2"]]);
    expect(context).toBeNull();
  });
});

describe("the object of options", () => {
  it("is the component for its own options, with props, methods, db and accounts", async () => {
    const members = `props: { acme: { type: "app", app: "acme" }, db: "$.service.db", board: "string",
        p: { type: "string", options() { return [[this.board, this.shout(), this.db.get("k") ?? "empty", this.acme.$auth.token]].map((value) => ({ label: "l", value })) } } },
      methods: { shout() { return this.board.toUpperCase() } },`;
    const configuredProps = { board: "b", acme: account("apn_1") };
    expect(await received(members, { propName: "p", configuredProps })).toEqual(["b", "B", "empty", "acme apn_1"]);
  });

  it("is the app for options of a definition, with methods that call each other and the account of the prop", async () => {
    const app = appText(`propDefinitions: { p: { type: "string", ${who} } }, ${whoMethods}`);
    const members = `props: { acme, other: { type: "app", app: "acme" }, p: { propDefinition: [acme, "p"] } },`;
    const configuredProps = { other: account("apn_other"), acme: account("apn_same") };
    expect(await received(members, { propName: "p", configuredProps }, app)).toBe("acme apn_same");
  });

  it("is an app that no prop refers to, with the account of its slug", async () => {
    const app = appText(`propDefinitions: { p: { type: "string", ${who} } }, ${whoMethods}`);
    const members = `props: { mine: { type: "app", app: "acme" }, p: { propDefinition: [acme, "p"] } },`;
    expect(await received(members, { propName: "p", configuredProps: { mine: account("apn_2") } }, app)).toBe(
      "acme apn_2",
    );
    expect(await received(members, { propName: "p" }, app)).toBe("none");
  });

  it("is the innermost app of nested definitions, with its own account", async () => {
    const apps = `${appText(`propDefinitions: { p: { type: "string", ${who} } }, ${whoMethods}`)}${appText(
      `propDefinitions: { p: { propDefinition: [acme, "p"] } }, ${whoMethods}`,
      "outer",
    )}`;
    const members = `props: { outer, acme, p: { propDefinition: [outer, "p"] } },`;
    const configuredProps = { outer: account("apn_outer"), acme: account("apn_inner") };
    expect(await received(members, { propName: "p", configuredProps }, apps)).toBe("acme apn_inner");
  });

  it("is the component when its own options override those of the definition, as a list and as a function", async () => {
    const app = appText(`propDefinitions: { p: { type: "string", options() { return ["inherited"] } } }`);
    const own = (options: string): string => `props: { acme, p: { propDefinition: [acme, "p"], ${options} } },`;
    for (const options of [`options: ["local"]`, `options() { return [this.acme ? "local" : "app"] }`])
      expect((await ask(own(options), { propName: "p" }, app)).stringOptions).toEqual(["local"]);
  });

  it("S57 has no options where a prop takes the inherited ones away", async () => {
    const app = appText(`propDefinitions: { p: { type: "string", options() { return ["inherited"] } } }`);
    for (const options of ["undefined", "null"]) {
      const members = `props: { acme, p: { propDefinition: [acme, "p"], options: ${options} } },`;
      await expect(ask(members, { propName: "p" }, app)).rejects.toThrow("which has none");
    }
  });

  it("is not needed for a static list, own or inherited", async () => {
    const app = appText(`propDefinitions: { p: { type: "integer", options: [{ label: "One", value: 1 }, 2] } }`);
    const members = `props: { acme, p: { propDefinition: [acme, "p"] } },`;
    expect(await ask(members, { propName: "p" }, app)).toEqual({
      options: [
        { label: "One", value: 1 },
        { label: "2", value: 2 },
      ],
      stringOptions: null,
      context: null,
      observations: [],
      errors: [],
    });
  });

  it("has fresh module state in every call", async () => {
    const members = `props: { p: { type: "integer", options() { return [++calls] } } },`;
    for (const _ of [1, 2]) expect(await received(members, { propName: "p" }, "let calls = 0;\n")).toBe(1);
  });
});

describe("options must not", () => {
  const refused = async (body: string): Promise<string | undefined> =>
    (
      await ask(
        `props: { db: "$.service.db", http: "$.interface.http", p: { type: "string", async options() { ${body}; return [] } } },`,
        { propName: "p" },
      )
    ).errors[0]?.message;

  it.each([
    [`this.db.set("k", 1)`, "db.set is not available in options: the db can only be read there"],
    [`this.db.delete("k")`, "db.delete is not available in options: the db can only be read there"],
    [`this.$emit(1)`, "$emit is not available in options"],
    [`this.http.respond({ status: 200 })`, "this.http.respond is only available in a run"],
  ])("%s", async (body, message) => {
    expect(await refused(body)).toContain(message);
  });
});

it("a running call of options is refused when the runtime closes", async () => {
  const closing = await openTrial();
  const code = componentText(
    `props: { p: { type: "string", options() { return new Promise((resolve) => setTimeout(resolve, 60_000)) } } }, run() {},`,
  );
  const { id } = await closing.runtime.saveComponent({ code });
  const asked = closing.runtime.configure({ id, propName: "p" });
  await Promise.all([expect(asked).rejects.toMatchObject({ code: "closed" }), closing.runtime.close()]);
  await expect(closing.runtime.configure({ id, propName: "p" })).rejects.toMatchObject({ code: "closed" });
});

it("S16 error messages about an invalid result contain no secrets or credentials", async () => {
  const configuredProps = { pin: "very-secret-pin", acme: account("apn_1") };
  for (const given of [
    "this.pin",
    "[{ [this.pin]: 1 }]",
    "[[this.pin]]",
    "this.acme.$auth.token",
    "{ options: this.pin }",
  ]) {
    const members = `props: { acme, pin: { type: "string", secret: true }, p: { type: "string", options() { return ${given} } } },`;
    const answer = await ask(members, { propName: "p", configuredProps }, appText(""));
    expect(answer.errors).toMatchObject([{ code: "invalid_result" }]);
    expect(JSON.stringify(answer)).not.toMatch(/very-secret-pin|acme apn_1/);
  }
});

describe("an error of options", () => {
  const failing = async (body: string, on = trial): Promise<OptionsAnswer["errors"][number] | undefined> => {
    const answer = await ask(`props: { p: { type: "string", options() {\n${body} } } },`, { propName: "p" }, "", on);
    expect([answer.options, answer.stringOptions, answer.context]).toEqual([[], null, null]);
    expect(answer.errors).toHaveLength(1);
    return answer.errors[0];
  };

  it("names the author's line", async () => {
    const error = await failing(`throw new RangeError("no board")`);
    expect(error).toMatchObject({ code: "component_threw", name: "RangeError", message: "no board" });
    expect(error?.stack).toMatch(/at options \(component\.\w+:2:\d+\)/);
  });

  it.each([
    ["a thrown text", `throw "just text"`, "component_threw", "just text"],
    ["a rejection", `return Promise.reject(new TypeError("later"))`, "component_threw", "later"],
    [
      "a timer that throws",
      `setTimeout(() => { throw new Error("timer") }); return new Promise(() => {})`,
      "component_threw",
      "timer",
    ],
    [
      "a promise that never settles",
      `return new Promise(() => {})`,
      "component_threw",
      "awaits a promise that nothing can settle",
    ],
    ["an endless loop", `for (;;);`, "sandbox_timeout", `options ran longer than ${timeoutMs} ms`],
    [
      "a wait that is too long",
      `return new Promise((resolve) => setTimeout(resolve, 60_000))`,
      "sandbox_timeout",
      "ran longer",
    ],
    [
      "all memory",
      `const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1))`,
      "sandbox_out_of_memory",
      "more memory",
    ],
    ["a BigInt", `return [{ label: "n", value: 1n }]`, "component_threw", "The result of options[0].value is a BigInt"],
    [
      "a cycle",
      `const list = []; list.push(list); return list`,
      "component_threw",
      "refers back to an object that contains it",
    ],
    ["a function", `return () => []`, "component_threw", "The result of options is a function, which JSON cannot hold"],
    [
      "too much",
      `return ["x".repeat(7_000_000)]`,
      "component_threw",
      "options may return at most 6291456 bytes of JSON, got",
    ],
    [
      "too deep",
      `let deep = []; for (let n = 0; n < 300; n++) deep = [deep]; return deep`,
      "component_threw",
      "nested at most 256 levels",
    ],
    [
      "nothing",
      `return undefined`,
      "invalid_result",
      `options of prop "p" must return an array of values or of {label, value}, or {options, context}, got nothing`,
    ],
    ["a text", `return "a"`, "invalid_result", "got a string"],
    ["an object without options", `return { items: [] }`, "invalid_result", "got an object without options"],
    ["options that are no list", `return { options: "a" }`, "invalid_result", "got {options: a string}"],
    [
      "a choice that is none",
      `return ["a", { name: "b" }]`,
      "invalid_result",
      "option 1 must be a value or {label, value}, got an object with name",
    ],
  ])("%s", async (_, body, code, message) => {
    const error = await failing(body, code === "sandbox_timeout" ? hasty : trial);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  it("about a missing earlier value is the component's own", async () => {
    const members = `props: { board: { type: "object" }, p: { type: "string", options() { return [this.board.id] } } },`;
    expect((await ask(members, { propName: "p" })).errors).toMatchObject([
      { code: "component_threw", name: "TypeError" },
    ]);
    expect((await ask(members, { propName: "p", configuredProps: { board: { id: "b1" } } })).stringOptions).toEqual([
      "b1",
    ]);
  });

  it.each([
    [`{ result: "{" }`, "component_threw"],
    [`{ error: 5 }`, "component_threw"],
    [`null`, "invalid_result"],
    [`"text"`, "invalid_result"],
    [`{ result: "5" }`, "invalid_result"],
  ])("a forged result is refused: all JSON text is %s", async (forged, code) => {
    const error = await failing(`Object.prototype.toJSON = () => (${forged}); return [{ value: 1 }]`);
    expect(error?.code).toBe(code);
  });
});
