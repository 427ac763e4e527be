import { describe, expect, test } from "vitest";

import { XError, type Problem } from "../../model/src/errors.ts";
import type { ComponentShape, PropShape } from "../../model/src/model.ts";
import { parseShape } from "./shape.ts";

const fn = { $function: true };
const shapeOf = (component: unknown): ComponentShape => parseShape(JSON.stringify(component), "component.js");
const valid = { name: "Feed watcher", version: "0.1.0", run: fn };

function errorOf(component: unknown): XError {
  try {
    shapeOf(component);
  } catch (error) {
    if (XError.is(error)) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}
const problemsOf = (component: unknown): readonly Problem[] => errorOf(component).details.errors ?? [];
const propsOf = (props: object): readonly PropShape[] => shapeOf({ ...valid, props }).props;
const propProblems = (props: object): readonly Problem[] => problemsOf({ ...valid, props });

describe("the component", () => {
  test("R030-R040 a full component is read with its hooks in order", () => {
    const component = {
      ...valid,
      key: "demo-feed",
      description: "Watches",
      dedupe: "unique",
      methods: { a: fn, constant: 3 },
      hooks: { deactivate: fn, deploy: fn },
      type: "source",
      sampleEmit: { any: ["thing"] },
      annotations: { destructiveHint: false },
    };
    expect(shapeOf(component)).toEqual({
      name: "Feed watcher",
      version: "0.1.0",
      key: "demo-feed",
      description: "Watches",
      dedupe: "unique",
      props: [],
      hooks: ["deploy", "deactivate"],
      emits: {
        schema: {
          type: "object",
          properties: { any: { type: "array", items: { type: "string" } } },
          required: ["any"],
        },
        from: "sampleEmit",
      },
    });
  });

  test("R033 R036 optional members are absent when they are not declared", () => {
    expect(shapeOf(valid)).toEqual({ name: "Feed watcher", version: "0.1.0", props: [], hooks: [] });
  });

  test.each([
    ["R031", { version: "1", run: fn }, "/name", "name is missing; expected a string that is not empty"],
    ["R031", { ...valid, name: 5 }, "/name", "name must be a string that is not empty, got 5"],
    ["R031", { ...valid, name: "" }, "/name", 'name must be a string that is not empty, got ""'],
    ["R032", { name: "n", run: fn }, "/version", "version is missing; expected a string"],
    ["R032", { ...valid, version: 1.2 }, "/version", "version must be a string, got 1.2"],
    ["R040", { name: "n", version: "1" }, "/run", "run is missing; expected a function"],
    ["R040", { ...valid, run: { $function: "no" } }, "/run", "run must be a function, got an object"],
    ["R038", { ...valid, hooks: { deploy: "x" } }, "/hooks/deploy", 'hooks.deploy must be a function, got "x"'],
    ["R038", { ...valid, hooks: fn }, "/hooks", "hooks must be an object, got a function"],
    ["R037", { ...valid, methods: [] }, "/methods", "methods must be an object, got an empty array"],
    ["R036", { ...valid, props: ["x"] }, "/props", "props must be an object, got an array"],
    [
      "R039",
      { ...valid, dedupe: "uniqe" },
      "/dedupe",
      'dedupe must be one of "unique", "greatest", "last", got "uniqe" (did you mean "unique"?)',
    ],
    [
      "G61",
      { ...valid, key: "sc_abc" },
      "/key",
      'key must be a string that is not empty and does not start with "sc_", got "sc_abc"',
    ],
  ])("%s %j is refused at %s", (_rule, component, path, message) => {
    expect(problemsOf(component)).toEqual([{ path, message }]);
  });

  test.each([null, 5, [], fn, "text"])("R030 an export that is no object is refused: %j", (exported) => {
    const error = errorOf(exported);
    expect(error.code).toBe("invalid_component");
    expect(error.details.errors).toMatchObject([{ path: "" }]);
    expect(error.message).toMatch(/^Component component\.js cannot be saved: The module's export must be one object/);
  });

  test("R032 R142 a version is never judged", () => {
    expect(shapeOf({ ...valid, version: "latest & greatest" }).version).toBe("latest & greatest");
    expect(shapeOf({ ...valid, version: "" }).version).toBe("");
  });

  test("every problem is listed, and the text names the component and the first of them", () => {
    const error = errorOf({ key: "demo-feed", dedupe: 1, props: { a: { type: "sting" }, b: 5, c: { label: "C" } } });
    expect(error.details.errors?.map(({ path }) => path)).toEqual([
      "/name",
      "/version",
      "/run",
      "/dedupe",
      "/props/a/type",
      "/props/b",
      "/props/c/type",
    ]);
    expect(error.message).toMatch(/^Component demo-feed cannot be saved: name is missing.*; and 4 more\.$/);
  });
});

describe("props", () => {
  test("R008 R041 R051 props keep their order, short forms are expanded, unknown fields go", () => {
    expect(
      propsOf({
        url: { type: "string", label: "Feed", description: "d", secret: true, mystery: 1 },
        db: "$.service.db",
        http: { type: "$.interface.http", customResponse: true },
        count: { min: 1, max: 5, type: "integer", default: 2 },
      }),
    ).toEqual([
      { name: "url", type: "string", label: "Feed", description: "d", secret: true },
      { name: "db", type: "$.service.db" },
      { name: "http", type: "$.interface.http", customResponse: true },
      { name: "count", type: "integer", default: 2, min: 1, max: 5 },
    ]);
  });

  test.each(
    "string string[] integer integer[] boolean boolean[] object any $.interface.http $.interface.timer $.service.db alert"
      .split(" ")
      .map((type) => [type]),
  )("R047 type %s is known", (type) => {
    expect(propsOf({ p: type })).toEqual([{ name: "p", type }]);
  });

  test.each(["app[]", "object[]", "$.interface.http[]", "$.interface.timer[]", "$.service.db[]", "any[]"])(
    "R048 type %s is refused",
    (type) => {
      expect(propProblems({ p: { type, app: "acme" } })).toEqual([
        {
          path: "/props/p/type",
          message: `Prop "p": type "${type}" is not allowed: only boolean[], integer[], number[] and string[] are arrays`,
        },
      ]);
    },
  );

  test.each([
    ["sting", `type "sting" is unknown (did you mean "string"?)`],
    ["float", `type "float" is unknown (did you mean number?)`],
    ["sql", "is not available in this runtime; call the HTTP interface of the database"],
    ["$.airtable.tableId", "asks a service of the hosted runtime for its choices; use a string prop with the id"],
    ["constructor", `type "constructor" is unknown`],
  ])("a type that cannot be served is refused with a reason: %s", (type, message) => {
    expect(propProblems({ p: type })).toMatchObject([
      { path: "/props/p/type", message: expect.stringContaining(message) },
    ]);
  });

  test("S62 an optional prop of a type that is not available is left out with a warning, a required one refuses", () => {
    const types = ["sql", "$.airtable.fieldId", "$.discord.role[]"];
    const props = Object.fromEntries(types.map((type, n) => [`p${n}`, { type, optional: true }]));
    expect(propsOf({ ...props, kept: "string" })).toEqual([{ name: "kept", type: "string" }]);
    for (const type of types) expect(propProblems({ p: { type } })).toHaveLength(1);
    // A typo is no service.
    expect(propProblems({ p: { type: "strng", optional: true } })).toHaveLength(1);
  });

  test("S62 a data store that the component names has a valid name", () => {
    const props = {
      type: "data_store",
      default: "a b",
      static: "ok",
      options: ["shop", { label: "Till", value: "t/1" }],
    };
    expect(propProblems({ p: props }).map(({ path }) => path)).toEqual(["/props/p/default", "/props/p/options/1"]);
    expect(propProblems({ p: { type: "data_store", default: 7 } })).toMatchObject([
      { message: expect.stringMatching(/^default of prop "p" must be the name of a data store: .*, got 7$/) },
    ]);
    expect(propsOf({ p: { type: "data_store", default: "shop" } })).toEqual([
      { name: "p", type: "data_store", default: "shop" },
    ]);
  });

  test.each(["$.discord.channel", "$.discord.channel[]"])(
    "the app of a %s is kept, and another type has none",
    (type) => {
      expect(propsOf({ p: { type, appProp: "discord" } })).toEqual([{ name: "p", type, appProp: "discord" }]);
      expect(propsOf({ p: { type: "string", appProp: "discord" } })).toEqual([{ name: "p", type: "string" }]);
    },
  );

  test("R043 R052 static options are kept, a function becomes a flag", () => {
    expect(
      propsOf({
        plain: { type: "string", options: ["a", "b"] },
        labelled: { type: "integer", options: [{ label: "One", value: 1 }] },
        remote: { type: "string", options: fn },
      }),
    ).toEqual([
      { name: "plain", type: "string", options: ["a", "b"] },
      { name: "labelled", type: "integer", options: [{ label: "One", value: 1 }] },
      { name: "remote", type: "string", remoteOptions: true },
    ]);
    expect(propProblems({ p: { type: "string", options: ["a", ["b"], null, {}] } }).map(({ path }) => path)).toEqual([
      "/props/p/options/1",
      "/props/p/options/2",
      "/props/p/options/3",
    ]);
    expect(propProblems({ p: { type: "string", options: "a" } })).toEqual([
      { path: "/props/p/options", message: `options of prop "p" must be an array or a function, got "a"` },
    ]);
  });

  test("T3 a default on a required prop is taken as it is", () => {
    expect(propsOf({ p: { type: "string", default: "x" } })).toEqual([{ name: "p", type: "string", default: "x" }]);
  });

  test("the fields of the dialect are kept, functions in other places go", () => {
    const extras = { reloadProps: true, withLabel: true, useQuery: true, hidden: true, disabled: false };
    expect(
      propsOf({ p: { type: "string", ...extras, default: fn }, a: { type: "alert", alertType: "info", content: "c" } }),
    ).toEqual([
      { name: "p", type: "string", ...extras },
      { name: "a", type: "alert", alertType: "info", content: "c" },
    ]);
  });

  test("G23 a component that adds props says so, whatever else has that name", () => {
    expect(shapeOf({ ...valid, additionalProps: fn })).toMatchObject({ additionalProps: true });
    for (const additionalProps of [undefined, {}, "x"])
      expect(shapeOf({ ...valid, additionalProps })).not.toHaveProperty("additionalProps");
  });

  test("wrong fields are named", () => {
    expect(propProblems({ "a/b": { type: "string", optional: "yes", label: 1 } })).toEqual([
      { path: "/props/a~1b/label", message: `label of prop "a/b" must be a string, got 1` },
      { path: "/props/a~1b/optional", message: `optional of prop "a/b" must be true or false, got "yes"` },
    ]);
  });

  test("R055 timers take intervals and cron, and are checked", () => {
    const timer = (fields: object): object => ({ timer: { type: "$.interface.timer", ...fields } });
    expect(propsOf(timer({ default: { intervalSeconds: 900 } }))).toMatchObject([
      { default: { intervalSeconds: 900 } },
    ]);
    expect(propsOf(timer({ static: { cron: "0 9 * * *" } }))).toMatchObject([{ static: { cron: "0 9 * * *" } }]);
    expect(propsOf(timer({ default: {} }))).toMatchObject([{ default: {} }]);
    const message = (fields: object): string => propProblems(timer(fields))[0]?.message ?? "";
    expect(message({ default: { intervalSeconds: 0 } })).toBe(
      `default of timer prop "timer" must have intervalSeconds as an integer of at least 1, got 0`,
    );
    expect(message({ default: { intervalSeconds: 1.5 } })).toContain("an integer of at least 1");
    expect(message({ static: { cron: "bad" } })).toBe(
      `static of timer prop "timer" has a cron expression that cannot be used: a cron expression has 5 fields, or 6 with seconds, but "bad" has 1`,
    );
    expect(message({ default: { cron: 5 } })).toContain("cron as text");
    expect(message({ default: 900 })).toContain("got 900");
  });

  test("R067 an app prop needs its slug and keeps nothing else of the app", () => {
    const app = { type: "app", app: "acme", propDefinitions: { b: { type: "string" } }, methods: { list: fn } };
    expect(propsOf({ acme: app, named: { type: "app", app: "other" } })).toEqual([
      { name: "acme", type: "app", app: "acme" },
      { name: "named", type: "app", app: "other" },
    ]);
    expect(propProblems({ acme: { type: "app" } })).toEqual([
      { path: "/props/acme/app", message: `app of prop "acme" is missing; expected the slug of an app` },
    ]);
  });
});

describe("propDefinition", () => {
  const app = {
    type: "app",
    app: "acme",
    propDefinitions: {
      board: { type: "string", label: "Board", description: "of the app", options: fn, optional: true },
      kinds: { type: "string[]", options: ["a", "b"] },
      short: "integer",
      broken: { type: "sting" },
    },
    methods: {},
  };
  const refer = (...reference: unknown[]): object => ({ propDefinition: reference });

  test("R046 the definition is merged and local fields win", () => {
    expect(
      propsOf({
        acme: app,
        board: { ...refer(app, "board", fn), label: "My board", reloadProps: true },
        fixed: { ...refer(app, "board"), options: ["x"], optional: false },
        kinds: refer(app, "kinds", { acme: 1 }),
        short: refer(app, "short"),
      }),
    ).toEqual([
      { name: "acme", type: "app", app: "acme" },
      {
        name: "board",
        type: "string",
        label: "My board",
        description: "of the app",
        optional: true,
        remoteOptions: true,
        reloadProps: true,
      },
      { name: "fixed", type: "string", label: "Board", description: "of the app", optional: false, options: ["x"] },
      { name: "kinds", type: "string[]", options: ["a", "b"] },
      { name: "short", type: "integer" },
    ]);
  });

  test("a definition that refers to another app's is followed", () => {
    const outer = { type: "app", app: "outer", propDefinitions: { board: { ...refer(app, "board"), label: "Outer" } } };
    expect(propsOf({ b: refer(outer, "board") })).toMatchObject([{ name: "b", type: "string", label: "Outer" }]);
  });

  test.each([
    [refer(app, "bord"), "/propDefinition/1", `App "acme" has no prop definition "bord" (did you mean "board"?)`],
    [refer(app, "toString"), "/propDefinition/1", `has no prop definition "toString"`],
    [refer(app, "__proto__"), "/propDefinition/1", `has no prop definition "__proto__"`],
    [refer(app, 5), "/propDefinition/1", "must name a prop definition as text, got 5"],
    [refer("acme", "board"), "/propDefinition/0", `must begin with the app object itself, got "acme"`],
    [refer(null, "board"), "/propDefinition/0", "must begin with the app object itself, got nothing"],
    [refer(app), "/propDefinition", "must be [app, name] or [app, name, inputs], got an array"],
    [refer(app, "board", "x"), "/propDefinition/2", `must be an object or a function, got "x"`],
    [{ propDefinition: "acme.board" }, "/propDefinition", `got "acme.board"`],
    [refer(app, "broken"), "/type", `type "sting" is unknown`],
  ])("a reference that leads nowhere is refused: %#", (prop, path, message) => {
    expect(propProblems({ p: prop })).toEqual([{ path: `/props/p${path}`, message: expect.stringContaining(message) }]);
  });
});

describe("names of Object's prototype", () => {
  test("are harmless as names of props and fields", () => {
    const text = `{"name":"n","version":"1","run":{"$function":true},"__proto__":{"key":"stolen"},
      "props":{"constructor":"string","toString":{"type":"string","__proto__":{"secret":true}}}}`;
    const shape = parseShape(text, "component.js");
    expect(shape).toEqual({
      name: "n",
      version: "1",
      hooks: [],
      props: [
        { name: "constructor", type: "string" },
        { name: "toString", type: "string" },
      ],
    });
    expect(Object.getPrototypeOf(shape.props[1])).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["secret"]).toBeUndefined();
  });

  test("a prop named __proto__ is refused", () => {
    const text = `{"name":"n","version":"1","run":{"$function":true},"props":{"__proto__":{"type":"string"}}}`;
    expect(() => parseShape(text, "component.js")).toThrow(`A prop cannot have the name "__proto__"`);
  });

  test("members that only the prototype has are missing", () => {
    expect(problemsOf(JSON.parse(`{"__proto__":{"name":"n","version":"1"}}`)).map(({ path }) => path)).toEqual([
      "/name",
      "/version",
      "/run",
    ]);
  });
});

describe("a component with problems or warnings without end", () => {
  const problemsOf = (described: object): readonly Problem[] => errorOf(described).details.errors ?? [];

  test("reports the first problems, and how many more there are", () => {
    const props = Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`p${n}`, { type: "strin" }]));
    const problems = problemsOf({ ...valid, props });
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toEqual({ path: "", message: "and 5900 more" });
  });

  test("is refused with more props than values can be checked of", () => {
    const props = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`p${n}`, "string"]));
    expect(problemsOf({ ...valid, props })).toEqual([
      { path: "/props", message: "props must be at most 1000, got 1001" },
    ]);
  });

  test("shows names and values in texts of bounded length", () => {
    const long = "x".repeat(1_000_000);
    const problems = problemsOf({ ...valid, name: long, props: { [long]: { type: long } } });
    expect(JSON.stringify(problems).length).toBeLessThan(20_000);
  });

  test("has warnings of bounded length", () => {
    const long = "x".repeat(100_000);
    const hooks = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${long}${n}`, { $function: true }]));
    const { warnings } = shapeOf({ ...valid, hooks });
    expect(warnings).toHaveLength(50);
    expect(JSON.stringify(warnings).length).toBeLessThan(200_000);
  });
});
