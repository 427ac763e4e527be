import { afterAll, beforeAll, expect, it } from "vitest";

import type { PropShape } from "../../../model/src/model.ts";
import { componentText, openTrial, type Trial } from "../../../runtime/src/runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

const save = async (before: string, props: string): Promise<readonly PropShape[]> => {
  const component = await trial.runtime.saveComponent({
    code: `${before}\n${componentText(`props: ${props}, run() {},`)}`,
  });
  return component.shape.props;
};

/** An app with two definitions, one of them a list of this many labelled choices. */
const app = (choices: number): string => `const acme = { type: "app", app: "acme", propDefinitions: {
  zone: { type: "string", options: Array.from({ length: ${choices} }, (_, value) => ({ label: "Zone " + value, value: "z" + value })) },
  name: { type: "string", label: "Name" } } };`;
const props = (name: string): string =>
  `{ acme, ...Object.fromEntries(Array.from({ length: 36 }, (_, n) => ["p" + n, { propDefinition: [acme, "${name}"] }])) }`;

it("R046: an app is described once, however many props refer to it", async () => {
  const named = await save(app(1_500), props("name"));
  expect(named).toHaveLength(37);
  expect(named.at(-1)).toMatchObject({ name: "p35", type: "string", label: "Name" });
  const zones = await save(app(600), props("zone"));
  expect(zones.at(-1)?.options).toHaveLength(600);
});

/** An app, and one that has its definition without the default. */
const whole = `const first = { type: "app", app: "first", propDefinitions: { limit: { type: "integer", label: "Limit", default: 10 } } };
const acme = { type: "app", app: "acme", propDefinitions: {
  limit: { type: "integer", label: "Limit", description: "At most", optional: true, default: 10, options: [10, 20], min: 1 },
  less: { propDefinition: [first, "limit"], default: undefined } } };`;
const limit = {
  type: "integer",
  label: "Limit",
  description: "At most",
  optional: true,
  default: 10,
  options: [10, 20],
  min: 1,
};

it.each(["label", "description", "optional", "default", "options", "min"] as const)(
  "S57 %s: undefined takes the inherited field away",
  async (field) => {
    const { [field]: _, ...others } = limit;
    const given = `{ acme, limit: { propDefinition: [acme, "limit"], ${field}: undefined } }`;
    expect((await save(whole, given)).at(-1)).toEqual({ name: "limit", ...others });
  },
);

it("S57 fields are also taken away between definitions, with computed values, and not of props that inherit nothing", async () => {
  const given = `{ acme,
    less: { propDefinition: [acme, "less"] },
    none: { propDefinition: [acme, "limit"], default: {}.nothing, options: null, optional: undefined, min: undefined, label: "None" },
    own: { type: "integer", default: undefined, optional: true } }`;
  expect((await save(whole, given)).slice(1)).toEqual([
    { name: "less", type: "integer", label: "Limit" },
    { name: "none", type: "integer", label: "None", description: "At most" },
    { name: "own", type: "integer", optional: true },
  ]);
  await expect(save(whole, `{ p: { propDefinition: [acme, "limit"], type: undefined } }`)).rejects.toThrow(/type/);
});

it("describes all of an app that refers to itself", async () => {
  const before = `${app(2)}\nacme.self = acme;`;
  expect((await save(before, props("zone"))).at(-1)?.options).toHaveLength(2);
});

it.each([
  ["too many parts", "", `{ a: { type: "string", options: Array.from({ length: 20000 }, (_, n) => ({ n })) } }`],
  ["a list in too many places", app(5_000), props("zone").replace("36", "90")],
  [
    "a list that doubles at each level",
    "let list = [1]; for (let n = 0; n < 22; n++) list = [list, list];",
    `{ a: { type: "string", options: list } }`,
  ],
  [
    "a depth that hides in parts seen before",
    "const nest = (value) => { for (let n = 0; n < 15; n++) value = [value]; return value; }; const low = nest(1);",
    `{ a: { type: "string", options: [low, nest(low)] } }`,
  ],
])("refuses %s", async (_, before, given) => {
  await expect(save(before, given)).rejects.toMatchObject({
    code: "invalid_component",
    message: expect.stringContaining("The component object is too large or too deep to describe") as string,
  });
});
