import { describe, expect, test } from "vitest";

import { XError, type Problem } from "../../../model/src/errors.ts";
import type { ComponentShape, Json, PropShape } from "../../../model/src/model.ts";
import type { ConfiguredProps } from "../contract.ts";
import { propsRules } from "./props.ts";

const rules = propsRules((given) => given);
const shapeOf = (...props: PropShape[]): ComponentShape => ({ name: "Feed", version: "1", props, hooks: [] });
const one = (type: string, fields: object = {}): ComponentShape => shapeOf({ name: "p", type, ...fields });

const configure = (shape: ComponentShape, given?: unknown, previous?: ConfiguredProps): ConfiguredProps =>
  rules.configure(shape, given, previous);

function errorOf(shape: ComponentShape, given: unknown, previous?: ConfiguredProps): XError {
  try {
    configure(shape, given, previous);
  } catch (error) {
    if (XError.is(error)) return error;
    throw error;
  }
  throw new Error("It was accepted.");
}
const problemsOf = (shape: ComponentShape, given: unknown, previous?: ConfiguredProps): readonly Problem[] =>
  errorOf(shape, given, previous).details.errors ?? [];
const messageOf = (shape: ComponentShape, given: unknown, previous?: ConfiguredProps): string => {
  const problems = problemsOf(shape, given, previous);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.path).toMatch(/^\/props\/p(\/\w+)?$/);
  return problems[0]?.message ?? "";
};

test("S62 the name of a data store is a text of few characters", () => {
  for (const name of ["a", "Shop.v2_customers-eu", "0".repeat(64)])
    expect(configure(one("data_store"), { p: name })).toEqual({ p: name });
  for (const name of ["", ".a", "a/b", "a b", "\u00fc", "0".repeat(65), 7, { name: "a" }])
    expect(messageOf(one("data_store"), { p: name })).toContain("must be the name of a data store: 1 to 64 letters");
  expect(messageOf(one("data_store", { options: ["a", "b"] }), { p: "c" })).toBe(
    'Prop "p" must be one of "a", "b", got "c" (did you mean "a"?)',
  );
  expect(configure(one("data_store", { default: "a" }))).toEqual({});
});

describe("values", () => {
  test.each<[string, Json]>([
    ["string", "x"],
    ["string", ""],
    ["string[]", ["a", "b"]],
    ["string[]", []],
    ["integer", -3],
    ["integer[]", [1, 2]],
    ["boolean", false],
    ["boolean[]", [true]],
    ["object", { a: [1, { b: null }] }],
    ["any", [1, "x", null]],
    ["$.discord.channel[]", ["123"]],
    ["app", { authProvisionId: "apn_1" }],
  ])("R047 type %s takes %j", (type, value) => {
    expect(configure(one(type, { app: "acme" }), { p: value })).toEqual({ p: value });
  });

  test.each<[string, unknown, string]>([
    ["string", 5, `Prop "p" must be a string, got 5`],
    ["string", ["a"], `Prop "p" must be a string, got an array`],
    ["string[]", "a", `Prop "p" must be an array; each item must be a string, got "a"`],
    ["string[]", ["a", 5], `Item 1 of prop "p" must be a string, got 5`],
    ["integer", "5", `Prop "p" must be an integer, got "5"`],
    ["integer", 1.5, `Prop "p" must be an integer, got 1.5`],
    ["boolean", "true", `Prop "p" must be true or false, got "true"`],
    ["object", [], `Prop "p" must be an object, got an empty array`],
    ["app", "apn_1", `Prop "p" must be {"authProvisionId": <id of a connected acme account>}, got "apn_1"`],
    ["app", {}, `authProvisionId of prop "p" is missing; expected the id of a connected account`],
    ["app", { authProvisionId: 5 }, `authProvisionId of prop "p" must be the id of a connected account, got 5`],
    ["alert", "x", `Prop "p" is an alert and takes no value`],
    ["$.service.db", "x", `Prop "p" of type $.service.db takes no value, got "x"`],
    ["any", () => 1, `Prop "p" must be a JSON value`],
    ["any", 1n, `Prop "p" must be a JSON value`],
    ["string", "x".repeat(64 * 1024), `Prop "p" must be at most 65536 bytes of JSON`],
  ])("type %s refuses %#", (type, value, message) => {
    expect(messageOf(one(type, { app: "acme" }), { p: value })).toBe(message);
  });

  test("R049 min and max bind integers, in lists too", () => {
    const shape = one("integer", { min: 1, max: 5 });
    expect(configure(shape, { p: 1 })).toEqual({ p: 1 });
    expect(configure(shape, { p: 5 })).toEqual({ p: 5 });
    expect(messageOf(shape, { p: 0 })).toBe(`Prop "p" must be an integer of at least 1 and at most 5, got 0`);
    expect(messageOf(shape, { p: 6 })).toContain("got 6");
    expect(messageOf(one("integer[]", { max: 2 }), { p: [1, 3] })).toBe(
      `Item 1 of prop "p" must be an integer of at most 2, got 3`,
    );
  });

  test("static options bind the value, remote ones do not", () => {
    const options = ["open", "closed"];
    expect(configure(one("string", { options }), { p: "open" })).toEqual({ p: "open" });
    expect(messageOf(one("string", { options }), { p: "opne" })).toBe(
      `Prop "p" must be one of "open", "closed", got "opne" (did you mean "open"?)`,
    );
    const labelled = [
      { label: "One", value: 1 },
      { label: "Two", value: 2 },
    ];
    expect(configure(one("integer", { options: labelled }), { p: 2 })).toEqual({ p: 2 });
    expect(messageOf(one("integer", { options: labelled }), { p: 3 })).toBe(`Prop "p" must be one of 1, 2, got 3`);
    expect(messageOf(one("string[]", { options }), { p: ["open", "x"] })).toContain(
      `Item 1 of prop "p" must be one of`,
    );
    expect(configure(one("string", { remoteOptions: true }), { p: "anything" })).toEqual({ p: "anything" });
    expect(configure(one("string", { options: [] }), { p: "anything" })).toEqual({ p: "anything" });
    const many = Array.from({ length: 300 }, (_, index) => `o${index}`);
    expect(messageOf(one("string", { options: many }), { p: "x" })).toContain("… (300 options)");
  });

  test("of many wrong values the first hundred are reported, in one prop and in many", () => {
    const texts = (word: string): string[] => Array.from({ length: 3_000 }, (_, n) => `${word}${n}`);
    const paths = (shape: ComponentShape, given: Json) => problemsOf(shape, given).map(({ path }) => path);
    const hundred = Array.from({ length: 100 }, (_, n) => n);
    expect(paths(one("string[]", { options: texts("a") }), { p: texts("b") })).toEqual(
      hundred.map((n) => `/props/p/${n}`),
    );
    const many = shapeOf(...texts("p").map((name): PropShape => ({ name, type: "integer" })));
    expect(paths(many, Object.fromEntries(texts("p").map((name) => [name, "x"])))).toEqual(
      hundred.map((n) => `/props/p${n}`),
    );
    expect(paths(many, { p2999: "x" })).toEqual(hundred.map((n) => `/props/p${n}`));
    expect(paths(one("string[]", { options: texts("a") }), { p: ["a2999", "a3000"] })).toEqual(["/props/p/1"]);
  });

  test("R044 T3 a required prop without a value is refused; optional ones and defaults are not", () => {
    expect(messageOf(one("string"), {})).toBe(`Prop "p" is missing; expected a string`);
    expect(messageOf(one("string"), undefined)).toContain("is missing");
    expect(configure(one("string", { optional: true }), {})).toEqual({});
    expect(configure(one("string", { default: "x" }), {})).toEqual({});
    for (const type of ["app", "alert", "$.service.db", "$.interface.http"]) {
      expect(configure(one(type, { app: "acme" }), {})).toEqual({});
    }
  });

  test("an unknown prop is refused with the nearest name", () => {
    const shape = shapeOf({ name: "url", type: "string", optional: true });
    expect(problemsOf(shape, { ulr: "x" })).toEqual([
      { path: "/props/ulr", message: `Component Feed has no prop "ulr" (did you mean "url"?)` },
    ]);
    expect(problemsOf(shape, JSON.parse(`{"__proto__":1,"constructor":2,"a/b":3}`)).map(({ path }) => path)).toEqual([
      "/props/__proto__",
      "/props/constructor",
      "/props/a~1b",
    ]);
  });

  test("props with names of Object's prototype are ordinary", () => {
    const shape = shapeOf({ name: "constructor", type: "string" }, { name: "toString", type: "integer", default: 1 });
    expect(problemsOf(shape, {})).toEqual([
      { path: "/props/constructor", message: `Prop "constructor" is missing; expected a string` },
    ]);
    const configured = configure(shape, { constructor: "x" });
    expect(configured).toEqual({ constructor: "x" });
    expect(rules.values(shape, configured)).toEqual({ constructor: "x", toString: 1 });
  });

  test("every problem is listed at once", () => {
    const shape = shapeOf(
      { name: "url", type: "string" },
      { name: "count", type: "integer", max: 3 },
      { name: "timer", type: "$.interface.timer" },
      { name: "kind", type: "string" },
    );
    const error = errorOf(shape, { count: 4, timer: { cron: "bad" }, other: 1, url: 5 });
    expect(error.code).toBe("invalid_props");
    expect(error.details.errors?.map(({ path }) => path).sort()).toEqual(
      ["count", "kind", "other", "timer", "url"].map((name) => `/props/${name}`),
    );
    expect(error.message).toMatch(/^Props of component Feed are not valid: .*; and 2 more\.$/);
  });

  test.each([[[]], ["x"], [5], [null]])("props must be an object: %j", (given) => {
    expect(problemsOf(one("string", { optional: true }), given)).toMatchObject([{ path: "/props" }]);
  });

  test("what is configured is a copy", () => {
    const given = { p: { a: 1 } };
    const configured = configure(one("object"), given);
    given.p.a = 2;
    expect(configured).toEqual({ p: { a: 1 } });
  });
});

describe("label-value form", () => {
  const choice = { __lv: { label: "Board", value: "b1" } };

  test("is kept as given, checked by its value and unwrapped for the component", () => {
    const shape = one("string", { options: ["b1"] });
    const configured = configure(shape, { p: choice });
    expect(configured).toEqual({ p: choice });
    expect(rules.values(shape, configured)).toEqual({ p: "b1" });
    expect(messageOf(one("string", { options: ["b2"] }), { p: choice })).toContain(`got "b1"`);
    expect(messageOf(one("integer"), { p: choice })).toContain("must be an integer");
  });

  test("a prop with withLabel is read with its label", () => {
    const shape = one("string", { withLabel: true });
    expect(rules.values(shape, configure(shape, { p: choice }))).toEqual({ p: { label: "Board", value: "b1" } });
    expect(rules.values(shape, configure(shape, { p: "b1" }))).toEqual({ p: { label: "b1", value: "b1" } });
  });

  test.each<[Json]>([[{ __lv: [{ label: "A", value: "a" }, "b"] }], [[{ __lv: { label: "A", value: "a" } }, "b"]]])(
    "lists may carry labels: %j",
    (value) => {
      const shape = one("string[]");
      expect(rules.values(shape, configure(shape, { p: value }))).toEqual({ p: ["a", "b"] });
      expect(rules.values(one("string[]", { withLabel: true }), { p: value })).toEqual({
        p: [
          { label: "A", value: "a" },
          { label: "b", value: "b" },
        ],
      });
    },
  );

  test("one without a value is refused", () => {
    expect(messageOf(one("string"), { p: { __lv: { label: "A" } } })).toContain("must be a string, got an object");
  });
});

describe("timers", () => {
  const shape = one("$.interface.timer", { default: { intervalSeconds: 900 } });

  test.each([
    [{ intervalSeconds: 60 }, { cron: null, interval_seconds: 60 }],
    [{ interval_seconds: 60 }, { cron: null, interval_seconds: 60 }],
    [
      { cron: null, interval_seconds: 60 },
      { cron: null, interval_seconds: 60 },
    ],
    [{ cron: "0 9 * * *" }, { cron: "0 9 * * *", interval_seconds: 0 }],
    [
      { cron: "0 9 * * *", interval_seconds: 0 },
      { cron: "0 9 * * *", interval_seconds: 0 },
    ],
    [
      { cron: "0 9 * * *", timezone: "Europe/Berlin" },
      { cron: "0 9 * * *", interval_seconds: 0, timezone: "Europe/Berlin" },
    ],
    [{ intervalSeconds: 86_400_000 }, { cron: null, interval_seconds: 86_400_000 }],
  ])("R012 S3 %j is stored as %j", (given, stored) => {
    expect(configure(shape, { p: given })).toEqual({ p: stored });
  });

  test.each<[unknown, string]>([
    [{ intervalSeconds: 0 }, "an integer of at least 1, got 0"],
    [{ intervalSeconds: 1.5 }, "an integer of at least 1, got 1.5"],
    [{ intervalSeconds: "60" }, `an integer of at least 1, got "60"`],
    [{ intervalSeconds: 1e300 }, "at most"],
    [{ intervalSeconds: 60, interval_seconds: 61 }, "two different intervals"],
    [{ intervalSeconds: 60, cron: "0 9 * * *" }, "not both"],
    [{ cron: "bad" }, `has a cron expression that cannot be used: a cron expression has 5 fields`],
    [{ cron: "0 9 * * *", timezone: "Nowhere" }, "cannot be used"],
    [{ cron: 5 }, "cron as text, got 5"],
    [{ intervalSeconds: 60, timezone: "UTC" }, "a timezone only as text beside cron"],
    [{}, "must set intervalSeconds or cron"],
    [60, "got 60"],
  ])("%j is refused", (given, message) => {
    expect(messageOf(shape, { p: given })).toContain(message);
  });

  test("R055 without a value the static, else the default, else one hour is stored", () => {
    const stored = (fields: object): unknown => configure(one("$.interface.timer", fields), {})["p"];
    expect(stored({ default: { intervalSeconds: 900 } })).toEqual({ cron: null, interval_seconds: 900 });
    expect(stored({ static: { intervalSeconds: 5 }, default: { intervalSeconds: 900 } })).toMatchObject({
      interval_seconds: 5,
    });
    expect(stored({ default: { cron: "0 9 * * *" } })).toEqual({ cron: "0 9 * * *", interval_seconds: 0 });
    expect(stored({ default: {} })).toEqual({ cron: null, interval_seconds: 3600 });
    expect(stored({})).toEqual({ cron: null, interval_seconds: 3600 });
  });

  test("a static timer cannot be changed, but its own value may come back", () => {
    const fixed = one("$.interface.timer", { static: { intervalSeconds: 900 } });
    expect(messageOf(fixed, { p: { intervalSeconds: 60 } })).toContain("fixed by the component");
    expect(configure(fixed, { p: { cron: null, interval_seconds: 900 } })).toEqual({
      p: { cron: null, interval_seconds: 900 },
    });
    expect(configure(fixed, {}, { p: { cron: null, interval_seconds: 60 } })).toMatchObject({
      p: { interval_seconds: 900 },
    });
  });

  test("G39 a new default leaves a stored schedule alone; null takes the new default", () => {
    const previous = configure(shape, {});
    const renewed = one("$.interface.timer", { default: { intervalSeconds: 5 } });
    expect(configure(renewed, {}, previous)).toMatchObject({ p: { interval_seconds: 900 } });
    expect(configure(renewed, { p: null }, previous)).toMatchObject({ p: { interval_seconds: 5 } });
  });
});

describe("interfaces and services", () => {
  test.each<[string, Json]>([
    ["$.interface.http", { endpoint_url: "http://127.0.0.1/in/x" }],
    ["$.interface.http", null],
    ["$.interface.http", { type: "$.interface.http" }],
    ["$.service.db", { type: "$.service.db" }],
    ["$.service.db", "$.service.db"],
  ])("%s is taken in its response form %j and not stored", (type, given) => {
    expect(configure(one(type), { p: given })).toEqual({});
  });
});

describe("updates", () => {
  const shape = shapeOf(
    { name: "url", type: "string" },
    { name: "note", type: "string", optional: true },
    { name: "token", type: "string", secret: true },
  );
  const previous = configure(shape, { url: "a", note: "n", token: "hush-hush" });

  test("G58 values are merged by key and null unsets", () => {
    expect(configure(shape, { url: "b", note: null }, previous)).toEqual({ url: "b", token: "hush-hush" });
    expect(configure(shape, undefined, previous)).toEqual(previous);
    expect(problemsOf(shape, { url: null }, previous)).toMatchObject([{ path: "/props/url" }]);
  });

  test("G33 the marker of a secret keeps it", () => {
    expect(configure(shape, { token: { __secret: true } }, previous)).toEqual(previous);
    expect(problemsOf(shape, { url: "a", token: { __secret: true } })).toEqual([
      {
        path: "/props/token",
        message: `Prop "token" has no stored value that {"__secret": true} could keep`,
      },
    ]);
    expect(problemsOf(shape, { url: { __secret: true } }, previous)).toMatchObject([{ path: "/props/url" }]);
  });

  test("G33 the value of a secret is in no message", () => {
    const numeric = shapeOf(
      { name: "token", type: "integer", secret: true },
      { name: "kind", type: "string", secret: true, options: ["hush"] },
    );
    const error = errorOf(numeric, { token: "hush-hush", kind: "hish" });
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/hush-hush|hish/);
    expect(error.message).toContain(`Prop "token" must be an integer, got a string`);
  });

  test("what the new shape does not declare goes, what it newly requires is asked for", () => {
    const renewed = shapeOf({ name: "url", type: "string" }, { name: "board", type: "string" });
    expect(configure(renewed, { board: "b" }, previous)).toEqual({ url: "a", board: "b" });
    expect(problemsOf(renewed, {}, previous).map(({ path }) => path)).toEqual(["/props/board"]);
    expect(problemsOf(shapeOf({ name: "url", type: "integer" }), {}, previous)).toMatchObject([{ path: "/props/url" }]);
  });
});

test("R036 a component reads values, defaults and static values, and nothing that is not set", () => {
  const shape = shapeOf(
    { name: "url", type: "string" },
    { name: "count", type: "integer", default: 3 },
    { name: "note", type: "string", optional: true },
    { name: "fixed", type: "string", static: "s" },
    { name: "labelled", type: "string", withLabel: true, default: "d" },
    { name: "timer", type: "$.interface.timer" },
    { name: "db", type: "$.service.db" },
    { name: "acme", type: "app", app: "acme" },
  );
  const configured = configure(shape, { url: "u", acme: { authProvisionId: "apn_1" } });
  expect(rules.values(shape, configured)).toEqual({
    url: "u",
    count: 3,
    fixed: "s",
    labelled: { label: "d", value: "d" },
  });
  expect(messageOf(one("string", { static: "s" }), { p: "t" })).toContain("fixed by the component");
});

describe("drafts", () => {
  const shape = shapeOf(
    { name: "needed", type: "string" },
    { name: "count", type: "integer", min: 1 },
    { name: "acme", type: "app", app: "acme" },
    { name: "key", type: "string", secret: true },
  );

  test("are checked like complete props, but for what is missing", () => {
    expect(rules.draft(shape, undefined)).toEqual({});
    expect(rules.draft(shape, { count: 2 })).toEqual({ count: 2 });
    for (const given of [{ count: 0 }, { coutn: 1 }, { acme: {} }, { key: { __secret: true } }, [], "x"])
      expect(() => rules.draft(shape, given), JSON.stringify(given)).toThrow("Props of component Feed are not valid");
  });

  test("start from the values before", () => {
    const previous = { needed: "n", key: "secret" };
    expect(rules.draft(shape, { needed: null, key: { __secret: true } }, previous)).toEqual({ key: "secret" });
  });
});
