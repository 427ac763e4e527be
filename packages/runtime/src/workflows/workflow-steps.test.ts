import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { componentText, makeFolder, openTrial, removeFolders, type Trial } from "../runtime.cases.ts";
import type { WorkflowInput, WorkflowView } from "../api/workflow-api.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ accounts: ({ id }) => ({ token: `token-of-${id}` }) });
});
afterAll(async () => {
  await trial.runtime.close();
  removeFolders();
});

let names = 0;
const register = (input: Omit<WorkflowInput, "name">): Promise<WorkflowView> =>
  trial.runtime.workflow({ name: `W${++names}`, ...input });
/** Registers a module with these steps and runs it; resolves with its events and errors. */
async function run(steps: string, event: Json = {}, more: Partial<WorkflowInput> = {}) {
  const { id } = await register({ code: `export default { steps: [${steps}] };`, ...more });
  const { status, error } = await trial.runtime.invoke(id, { event });
  return { id, status, error, emitted: await trial.payloads(id) };
}

test("steps run in order; each gets the trigger, and the results and exports of earlier steps", async () => {
  const { emitted } = await run(
    `{ name: "one", run({ steps, $ }) { $.export("sum", steps.trigger.event.a + 1); return { list: [1] }; } },
     { name: "two", async run({ steps }) { await null; return steps.one.sum * 10; } },
     { name: "three", run() {} },
     { name: "last", run({ steps, $ }) { const { trigger, ...rest } = steps; $.send.emit(rest); $.send.emit(trigger.context.id === $.context.id); } }`,
    { a: 1 },
  );
  expect(emitted).toEqual([
    { one: { sum: 2, $return_value: { list: [1] } }, two: { $return_value: 20 }, three: {} },
    true,
  ]);
});

test("exports are copies, converted to JSON", async () => {
  const { emitted } = await run(
    `{ name: "one", run({ $ }) { const o = { n: 1, at: new Date(0), no: undefined }; $.export("o", o); o.n = 2; } },
     { name: "two", run({ steps, $ }) { $.send.emit(steps.one.o) } }`,
  );
  expect(emitted).toEqual([{ n: 1, at: "1970-01-01T00:00:00.000Z" }]);
  const messageOf = async (body: string): Promise<string | undefined> => {
    const { error } = await run(`{ name: "only", run({ $ }) { ${body} } }`);
    return error ? `${error.name}: ${error.message}` : undefined;
  };
  expect(await messageOf("return { a: [1n] }")).toBe(
    "ExportSerializationError: The return value of step only.a[0] is a BigInt, which JSON cannot hold",
  );
  expect(await messageOf('$.export("f", () => 1)')).toBe(
    'ExportSerializationError: $.export("f") is a function, which JSON cannot hold',
  );
  expect(await messageOf("const o = {}; o.o = o; return o")).toMatch(/^ExportSerializationError: .*refers back/);
  for (const key of ['""', "7", '"$return_value"', '"__proto__"'])
    expect(await messageOf(`$.export(${key}, 1)`)).toMatch(/^TypeError: \$\.export: the key must (?:not )?be/);
});

test("values of props are literals or functions of earlier steps; defaults apply", async () => {
  const action =
    `{ type: "action", props: { text: "string", n: { type: "integer", default: 5 }, m: { type: "integer" } },
    run({ $ }) { $.send.emit([this.text, this.n, this.m]) } }`.replace('"string"', '{ type: "string" }');
  const { emitted } = await run(
    `{ name: "one", run: () => 7 },
     { name: "two", action: ${action}, props: { text: ({ steps }) => steps.trigger.event.t, m: async ({ steps }) => steps.one.$return_value } },
     { name: "three", action: ${action}, props: { text: "t", n: () => undefined, m: 1 } }`,
    { t: "given" },
  );
  expect(emitted).toEqual([
    ["given", 5, 7],
    ["t", 5, 1],
  ]);
});

test("a step has its own methods, app and db, separate from those of other steps", async () => {
  const acme = `{ type: "app", app: "acme", methods: { who() { return this.$auth.token } } }`;
  const step = (
    name: string,
  ): string => `{ name: "${name}", action: { type: "action", props: { db: "$.service.db", acme: ${acme} },
    methods: { count() { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); return n } },
    run({ $ }) { $.send.emit({ n: this.count(), keys: this.db.keys(), who: this.acme.who() === "token-of-apn_1" }) } },
    props: { acme: { authProvisionId: "apn_1" } } }`;
  const { id, emitted } = await run(`${step("one")}, ${step("two")}`);
  const seen = { n: 1, keys: ["n"], who: true };
  expect(emitted).toEqual([seen, seen]);
  await trial.runtime.invoke(id);
  expect((await trial.payloads(id)).slice(2)).toEqual([
    { ...seen, n: 2 },
    { ...seen, n: 2 },
  ]);
});

test("secret values and credentials are masked in logs and errors", async () => {
  const { id } = await run(
    `{ name: "one", action: { props: { key: { type: "string", secret: true } }, run() { console.log(this.key); throw new Error(this.key) } },
       props: { key: "very-secret" } }`,
  );
  expect(JSON.stringify(await trial.payloads(id, "$logs"))).not.toContain("very-secret");
  expect(await trial.payloads(id, "$errors")).toMatchObject([{ error: { msg: "***" } }]);
});

test("$.flow.exit ends the workflow with status ok, even when the step catches it", async () => {
  const rest = `, { name: "after", run({ $ }) { $.send.emit("after") } }`;
  for (const body of ["$.flow.exit()", "return $.flow.exit('why')", "try { $.flow.exit() } catch {}"]) {
    const { status, emitted } = await run(
      `{ name: "one", async run({ $ }) { $.send.emit("before"); ${body} } }${rest}`,
    );
    expect([status, emitted]).toEqual(["ok", ["before"]]);
  }
  const { id } = await run(`{ name: "one", run({ $ }) { $.flow.exit("enough") } }`);
  expect(await trial.payloads(id, "$logs")).toMatchObject([{ msg: "The workflow ended in step one: enough" }]);
  const { error } = await run(`{ name: "one", run({ $ }) { try { $.flow.exit() } finally { null.x } } }`);
  expect(error?.name).toBe("TypeError");
});

test("an exit that is not awaited ends the workflow with status ok too", async () => {
  const rest = `, { name: "after", run({ $ }) { $.send.emit("after") } }`;
  for (const body of [
    `await new Promise(() => setTimeout(() => $.flow.exit()))`,
    `queueMicrotask(() => $.flow.exit()); await new Promise(() => {})`,
    `(async () => { await null; $.flow.exit() })(); await new Promise(() => {})`,
  ]) {
    const { status, emitted } = await run(`{ name: "one", async run({ $ }) { ${body} } }${rest}`);
    expect([status, emitted], body).toEqual(["ok", []]);
  }
});

test("no step sees changes that another step makes to results, trigger or context", async () => {
  const { emitted } = await run(
    `{ name: "one", run() { return { list: [1] } } },
     { name: "two", run({ steps, $ }) { steps.one.$return_value.list.push(2); steps.trigger.event = 1; steps.made = {};
       $.context.id = "x"; delete steps.trigger.context; $.send.emit(steps.one.$return_value.list) } },
     { name: "three", run({ steps, $ }) { $.send.emit([steps.one, Object.keys(steps), Object.keys(steps.trigger), $.context.id === "x"]) } }`,
  );
  expect(emitted).toEqual([
    [1, 2],
    [{ $return_value: { list: [1] } }, ["trigger", "one", "two"], ["event", "context"], false],
  ]);
});

test("a step may have any name and db key", async () => {
  const steps = `{ name: "constructor", props: { db: "$.service.db" }, run({ $ }) {
    $.send.emit([this.db.get("__proto__") ?? 0, this.db.keys()]); this.db.set("__proto__", 1); this.db.set("toString", 2); return 3 } },
    { name: "toString", run({ steps, $ }) { $.send.emit(steps.constructor.$return_value) } }`;
  const { id } = await run(steps);
  await trial.runtime.invoke(id);
  expect(await trial.payloads(id)).toEqual([[0, []], 3, [1, ["__proto__", "toString"]], 3]);
});

test("one run is one transaction: an exception keeps earlier events, or none with transactional", async () => {
  const steps = `{ name: "one", props: { db: "$.service.db" }, run({ $ }) { this.db.set("n", 1); $.send.emit(1) } },
    { name: "two", run() { throw new Error("no") } }`;
  expect((await run(steps)).emitted).toEqual([1]);
  expect((await run(steps, {}, { settings: { transactional: true } })).emitted).toEqual([]);
});

test("$.respond outside of a request throws", async () => {
  const { error } = await run(`{ name: "one", run({ $ }) { $.respond({ status: 200 }) } }`);
  expect(error?.message).toMatch(/^\$\.respond is only available in a run/);
});

test("an invalid module is refused with every problem and its path", async () => {
  const problems = async (code: string): Promise<string[]> => {
    const refused = await register({ code }).catch(
      (error: { details: { errors: { path: string; message: string }[] } }) => error,
    );
    if (!("details" in refused)) throw new Error("It was accepted");
    return refused.details.errors.map(({ path, message }) => `${path} ${message}`);
  };
  expect(await problems("export default 7;")).toEqual([
    " The module must export one workflow (export default defineWorkflow({…})), got 7",
  ]);
  expect(await problems("export default {};")).toEqual(["/steps steps must be a list of 1 to 100 steps, got nothing"]);
  expect(
    await problems(`export default { steps: [{ name: "trigger", run() {} }, { name: "a", run() {} }, { name: "a", run() {} }, 5,
      { name: "b", action: { type: "source", run() {} } }], trigger: { type: "timer", cron: "* * *", hours: 1 } };`),
  ).toEqual([
    '/trigger/hours trigger of type "timer" has no member "hours"',
    expect.stringMatching(/^\/trigger The timer trigger has a cron expression that cannot be used/),
    '/steps/0/name name of step 0 must not be "trigger", which has a meaning already',
    '/steps/2/name name of step 2 must be unique, got "a" again',
    '/steps/3 Step 3 must be an action { type: "action", name, run }, or { name, action, props }, got 5',
    '/steps/4/action/type type of step b must be "action", got "source"',
  ]);
  const action = `{ props: { text: { type: "string" }, n: { type: "integer", min: 3 }, more: { type: "string" } }, run() {} }`;
  expect(
    await problems(`export default { steps: [{ name: "a", run() {} }, { name: "b", action: ${action},
      props: { text: 7, n: 2, txet: "x" } }, { name: "c", action: ${action}, props: { no: () => 1, text: "t", n: 3, more: "m" } }] };`),
  ).toEqual(['/steps/2/props/no Step c has no prop "no"']);
  expect(
    await problems(`export default { steps: [{ name: "a", run() {} }, { name: "b", action: ${action},
      props: { text: 7, n: 2, txet: "x" } }] };`),
  ).toEqual([
    expect.stringMatching(/^\/steps\/1\/props\/txet .*has no prop "b\.txet"/),
    expect.stringMatching(/^\/steps\/1\/props\/more Prop "b\.more" is missing/),
    expect.stringMatching(/^\/steps\/1\/props\/text Prop "b\.text" must be/),
    expect.stringMatching(/^\/steps\/1\/props\/n Prop "b\.n" must be/),
  ]);
  expect(await problems(`export default { steps: [{ name: "a", action: { run() {} }, prop: {} }] };`)).toEqual([
    '/steps/0/prop step a has no member "prop" (did you mean "props"?)',
  ]);
  expect(await problems("throw new TypeError('at the top');")).toEqual([
    expect.stringMatching(/^ component\.js:1:11: TypeError: at the top$/),
  ]);
});

test("steps may be components by code, file, key and id; stacks name the step", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "lib"));
  writeFileSync(join(folder, "lib/double.ts"), "export const double = (n: number): number => n * 2;\n");
  writeFileSync(
    join(folder, "action.ts"),
    'import { double } from "./lib/double.ts";\nexport default { type: "action", run: ({ steps }: any) => double(steps.trigger.event) };\n',
  );
  const saved = await trial.runtime.saveComponent({
    code: componentText(
      `key: "shared-action", props: { by: { type: "integer" } }, run({ steps }) { return steps.file.$return_value + this.by },`,
    ),
  });
  const { id } = await register({
    steps: [
      { name: "file", component: { file: join(folder, "action.ts") } },
      { name: "key", component: { key: "shared-action" }, props: { by: 1 } },
      { name: "id", component: { componentId: saved.id }, props: { by: 2 } },
      {
        name: "code",
        component: {
          code: "export default {\n  run({ steps, $ }) {\n    $.send.emit([steps.key.$return_value, steps.id.$return_value]);\n    null.x;\n  } };",
        },
      },
    ],
  });
  const { error } = await trial.runtime.invoke(id, { event: 20 });
  expect(await trial.payloads(id)).toEqual([[41, 42]]);
  expect(error?.stack).toBe(
    "TypeError: Cannot read properties of null (reading 'x')\n    at run (code/component.js:4:5)",
  );
  expect(await trial.payloads(id, "$errors")).toMatchObject([{ error: { cellId: "c_code" } }]);
});

test("a workflow has exactly one of file, code, steps and handler, and no function as a step", async () => {
  const refused = async (input: object): Promise<string> => {
    const found = await register(input).catch((error: Error) => error);
    return found instanceof Error ? found.message : "accepted";
  };
  expect(await refused({})).toContain("exactly one of file, code, steps, handler, got none");
  expect(await refused({ code: "", handler: () => 1 })).toContain("got code and handler");
  expect(await refused({ handler: 7 })).toContain("handler must be a function");
  expect(await refused({ steps: {} })).toContain("steps must be a list");
  expect(await refused({ steps: [{ name: "a", run() {} }] })).toContain("Step 0 has a function, which cannot enter");
  expect(await refused({ steps: [{ name: "a", component: { code: "", key: "k" } }] })).toContain("got code and key");
  expect(await refused({ steps: [{ name: "a b", component: { code: "export default { run() {} }" } }] })).toContain(
    "name of step 0 must be an identifier",
  );
  expect(await refused({ steps: [{ name: 1n, component: { code: "" } }] })).toContain("identifier, got a bigint");
  expect(await refused({ file: 5 })).toContain("file must be a text, got a number");
  for (const more of [{}, { code: undefined, file: undefined }])
    expect(await refused({ steps: [{ name: "a", component: { key: "no-such", ...more } }] })).toContain('"no-such"');
  const value = {
    name: "a",
    component: { code: "export default { props: { f: { type: 'any' } }, run() {} }" },
    props: { f: () => 1 },
  };
  expect(await refused({ steps: [value] })).toContain("must be a JSON value");
});

test("the component of a workflow cannot be deployed or read", async () => {
  const { id } = await register({ code: "export default { steps: [{ name: 'a', run() {} }] };" });
  const seen = new Promise<string>((resolve) => {
    void (async () => {
      for await (const { source } of trial.runtime.events({ sourceId: id })) return resolve(source.componentId);
    })();
  });
  await trial.runtime.workflow({
    id,
    name: "Now",
    code: "export default { steps: [{ name: 'a', run({ $ }) { $.send.emit(1) } }] };",
  });
  await trial.runtime.invoke(id);
  const componentId = await seen;
  expect(componentId).toMatch(/^sc_/);
  await expect(trial.runtime.component(componentId)).rejects.toMatchObject({ code: "not_found" });
  await expect(trial.runtime.deploy({ componentId })).rejects.toMatchObject({ code: "not_found" });
});
