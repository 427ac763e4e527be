import { createHash } from "node:crypto";

import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type ComponentBody, type Data, type ErrorBody, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

async function save(code: string): Promise<ComponentBody> {
  const reply = await service.call<Data<ComponentBody>>("POST", "/components", { component_code: code });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
}

async function refuse(code: string): Promise<ErrorBody> {
  const reply = await service.call("POST", "/components", { component_code: code });
  expect([reply.status, reply.body.code], JSON.stringify(reply.body)).toEqual([400, "invalid_component"]);
  return reply.body;
}

const withProps = (props: string): string => component({ props });
const shapeOf = async (props: string): Promise<ComponentBody["configurable_props"]> =>
  (await save(withProps(props))).configurable_props;

const full = `export default {
  name: "Feed watcher", key: "demo-feed", version: "0.1.0",
  props: {
    url: { type: "string", label: "Feed", description: "Where to read" },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
  },
  async run() {},
};`;

test("R005 a component shows its fields inside data", async () => {
  const reply = await service.call<Data<ComponentBody>>("POST", "/components", { component_code: full });
  expect(Object.keys(reply.body)).toEqual(["data"]);
  expect(reply.body.data).toMatchObject({ name: "Feed watcher", version: "0.1.0", key: "demo-feed" });
  const fields = ["id", "code", "code_hash", "name", "version", "configurable_props", "created_at", "updated_at"];
  // Besides those of the interface: two additional ones.
  expect(Object.keys(reply.body.data).toSorted()).toEqual([...fields, "key", "component_url"].toSorted());
  expect(reply.body.data).toHaveProperty("component_url", null);
});

test("R041 unknown members of a component are warnings in every answer and in $logs, and no reason to refuse it", async () => {
  const timer = `timer: { type: "$.interface.timer", default: { interval: 60 } }`;
  const code = component({
    props: `${timer}, token: { type: "string", defualt: "a" }`,
    more: "hooks: { onDeploy() {} },",
  });
  const saved = await service.call<Data<{ id: string; warnings: { rule: string; path: string; message: string }[] }>>(
    "POST",
    "/components",
    { component_code: code },
  );
  const { id, warnings } = saved.body.data;
  expect(warnings.map(({ rule, path }) => [rule, path])).toEqual([
    ["unknown-timer-field", "/props/timer/default/interval"],
    ["unknown-prop-field", "/props/token/defualt"],
    ["unknown-hook", "/hooks/onDeploy"],
  ]);
  expect(warnings[1]?.message).toContain('(did you mean "default"?)');
  const deployed = await service.call<Data<{ id: string }>>("POST", "/sources", {
    component_id: id,
    configured_props: { token: "t" },
  });
  expect([deployed.status, deployed.body.data]).toMatchObject([200, { warnings }]);
  const logs = (await service.events(deployed.body.data.id, "$logs/")).map(({ event }) => event);
  expect(logs).toMatchObject(
    warnings.map(({ rule, message }) => ({ k: "console.warn", msg: `${message} (${rule})`, context: "deploy" })),
  );
});

test("R006 code is returned byte for byte", async () => {
  const code = `// tabs\t, CRLF\r\n// ünï \u{1F600} and trailing space \n${component()}\n\n  `;
  expect((await save(code)).code).toBe(code);
});

test("R007 the same code has the same hash in hex, and one more byte changes it", async () => {
  const code = component({ name: "Hashed" });
  const saved = await save(code);
  expect(saved.code_hash).toMatch(/^[0-9a-f]+$/);
  expect((await save(code)).code_hash).toBe(saved.code_hash);
  expect((await save(`${code} `)).code_hash).not.toBe(saved.code_hash);
});

test("G59 code_hash is the SHA-256 hex of the UTF-8 code", async () => {
  const code = `${component()} // é`;
  expect((await save(code)).code_hash).toBe(createHash("sha256").update(code, "utf8").digest("hex"));
});

test("R008 configurable_props are in declaration order, with all declared fields", async () => {
  expect(
    await shapeOf(`b: { type: "string", label: "B", description: "d", default: "x", optional: true },
      a: { type: "integer" }, "10": "boolean"`),
  ).toMatchObject([
    { name: "10", type: "boolean" },
    { name: "b", type: "string", label: "B", description: "d", default: "x", optional: true },
    { name: "a", type: "integer" },
  ]);
  const [bare] = await shapeOf('bare: { type: "string" }');
  expect(bare).not.toHaveProperty("description");
  expect(bare).not.toHaveProperty("default");
});

test("R009 a timer's default is shown as it was written", async () => {
  expect(await shapeOf('t: { type: "$.interface.timer", default: { intervalSeconds: 900 } }')).toMatchObject([
    { name: "t", type: "$.interface.timer", default: { intervalSeconds: 900 } },
  ]);
  expect(await shapeOf('t: { type: "$.interface.timer", default: { cron: "0 9 * * *" } }')).toMatchObject([
    { default: { cron: "0 9 * * *" } },
  ]);
});

test("R030 ES modules and CommonJS modules both work", async () => {
  expect((await save('module.exports = { name: "Common", version: "1", run() {} };')).name).toBe("Common");
  expect((await save('export default { name: "Modern", version: "1", run() {} };')).name).toBe("Modern");
  await refuse("export const other = 1;");
  await refuse("export default 5;");
});

test("R031 a component without a name is refused", async () => {
  expect(JSON.stringify(await refuse('export default { version: "1", run() {} };'))).toContain("/name");
  await refuse('export default { name: 5, version: "1", run() {} };');
});

test("R032 a component without a version is refused, and so is a version that is no text", async () => {
  expect(JSON.stringify(await refuse('export default { name: "a", run() {} };'))).toContain("/version");
  expect(JSON.stringify(await refuse('export default { name: "a", version: 1, run() {} };'))).toContain("/version");
});

test("R142 a version can be any text", async () => {
  for (const version of ["1", "not a version!", "v2.0-beta (old)", "0.0.0.0.1"]) {
    const saved = await save(`export default { name: "a", version: ${JSON.stringify(version)}, run() {} };`);
    expect(saved.version).toBe(version);
  }
});

test("R033 description and key are optional", async () => {
  expect(await save('export default { name: "a", version: "1", run() {} };')).toMatchObject({ key: null });
  expect(
    await save('export default { name: "a", version: "1", description: "d", key: "k-33", run() {} };'),
  ).toMatchObject({ key: "k-33" });
});

test("R080 a component is read by its key and by its id, in the same form", async () => {
  const saved = await save(full.replace("demo-feed", "demo-80"));
  const byKey = await service.call<Data<ComponentBody>>("GET", "/components/demo-80");
  const byId = await service.call<Data<ComponentBody>>("GET", `/components/${saved.id}`);
  expect([byKey.status, byId.status]).toEqual([200, 200]);
  expect(byKey.body).toEqual({ data: saved });
  expect(byId.body).toEqual({ data: saved });
  expect((await service.call("GET", "/components/no-such-key")).status).toBe(404);
});

test("R034 each key of the account identifies one component", async () => {
  const [first, second] = [await save(full.replace("demo-feed", "k-1")), await save(full.replace("demo-feed", "k-2"))];
  const read = async (key: string): Promise<string> =>
    (await service.call<Data<ComponentBody>>("GET", `/components/${key}`)).body.data.id;
  expect([await read("k-1"), await read("k-2")]).toEqual([first.id, second.id]);
  const replaced = await save(`${full.replace("demo-feed", "k-1")} // newer`);
  expect(replaced.id).not.toBe(first.id);
  expect([await read("k-1"), await read("k-2")]).toEqual([replaced.id, second.id]);
});

test("G61 a key identifies the newest component with it, ids do not change, and sc_ keys are refused", async () => {
  const code = (text: string): string => `export default { name: "${text}", key: "moving", version: "1", run() {} };`;
  const first = await save(code("first"));
  const second = await save(code("second"));
  expect(second.id).not.toBe(first.id);
  const read = async (id: string): Promise<string> =>
    (await service.call<Data<ComponentBody>>("GET", `/components/${id}`)).body.data.name;
  expect([await read("moving"), await read(first.id), await read(second.id)]).toEqual(["second", "first", "second"]);
  await refuse('export default { name: "a", key: "sc_mine", version: "1", run() {} };');
});

test("G59 saving the same code again returns the same component", async () => {
  const code = component({ name: "Again" });
  expect((await save(code)).id).toBe((await save(code)).id);
});

test("R038 hooks are functions, and each is optional", async () => {
  await save(component({ more: "hooks: { deploy() {}, activate() {}, deactivate() {} }," }));
  await save(component({ more: "hooks: { async deactivate() {} }," }));
  await save(component({ more: "hooks: {}," }));
  for (const hook of ["deploy", "activate", "deactivate"]) {
    expect(JSON.stringify(await refuse(component({ more: `hooks: { ${hook}: 5 },` })))).toContain(`/hooks/${hook}`);
  }
});

test("R039 dedupe is one of three strategies or absent; other values are refused", async () => {
  for (const dedupe of ["unique", "greatest", "last"]) await save(component({ more: `dedupe: "${dedupe}",` }));
  for (const dedupe of ['"newest"', '"Unique"', '""', "5", "true", "[]"]) {
    expect(JSON.stringify(await refuse(component({ more: `dedupe: ${dedupe},` }))), dedupe).toContain("/dedupe");
  }
});

test("R040 run is required and must be a function", async () => {
  expect(JSON.stringify(await refuse('export default { name: "a", version: "1" };'))).toContain("/run");
  await refuse('export default { name: "a", version: "1", run: "x" };');
});

test("R041 a prop needs a type", async () => {
  expect(JSON.stringify(await refuse(withProps('a: { label: "x" }')))).toContain("/props/a");
});

test("R042 a prop without a label has its name as label", async () => {
  const props = await shapeOf('plain: { type: "string" }, named: { type: "string", label: "Named" }');
  expect(props.map((prop) => ({ label: prop.name, ...prop }).label)).toEqual(["plain", "Named"]);
  expect(props[0]).not.toHaveProperty("label");
});

test("R043 options are values, label-value pairs, or a method shown as a flag", async () => {
  const props = await shapeOf(`a: { type: "string", options: ["x", "y"] },
      b: { type: "integer", options: [{ label: "One", value: 1 }] },
      c: { type: "string", async options() { return []; } }`);
  expect(props).toMatchObject([
    { options: ["x", "y"] },
    { options: [{ label: "One", value: 1 }] },
    { name: "c", remoteOptions: true },
  ]);
  expect(props[2]).not.toHaveProperty("options");
});

test("R045 a default on a required prop is accepted and used", async () => {
  const code = component({ props: 'size: { type: "integer", default: 7 }', run: "this.$emit(this.size)" });
  const source = await service.deploy(code);
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual([7]);
});

test("R046 a propDefinition is resolved, and local keys override it", async () => {
  const app = `const app = { type: "app", app: "acme", propDefinitions: {
    board: { type: "string", label: "Board", description: "inherited", optional: true },
  }, methods: {} };\n`;
  const props = `app, board: { propDefinition: [app, "board"], description: "local" },
    other: { propDefinition: [app, "board", (c) => ({ board: c.board })], optional: false }`;
  expect((await save(component({ before: app, props }))).configurable_props).toMatchObject([
    { name: "app", type: "app", app: "acme" },
    { name: "board", type: "string", label: "Board", description: "local", optional: true },
    { name: "other", type: "string", description: "inherited" },
  ]);
  await refuse(component({ before: app, props: 'app, board: { propDefinition: [app, "absent"] }' }));
});

test("S57 a field that is undefined takes the inherited one away, also at run time", async () => {
  const app = `const app = { type: "app", app: "acme", propDefinitions: {
    limit: { type: "integer", label: "Limit", optional: true, default: 10, options: [10, 20] },
  }, methods: {} };\n`;
  const props = `limit: { propDefinition: [app, "limit"], default: undefined, options: undefined },
    kept: { propDefinition: [app, "limit"] }`;
  const code = component({ before: app, props, run: "this.$emit([this.limit ?? null, this.kept])" });
  expect((await save(code)).configurable_props).toEqual([
    { name: "limit", type: "integer", label: "Limit", optional: true },
    { name: "kept", type: "integer", label: "Limit", optional: true, default: 10, options: [10, 20] },
  ]);
  const source = await service.deploy(code);
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual([[null, 10]]);
});

test("R047 every prop type is known, and others are refused", async () => {
  const types = ["boolean", "boolean[]", "integer", "integer[]", "number", "number[]", "string", "string[]", "object"];
  const known = [...types, "$.interface.http", "$.interface.timer", "$.service.db"];
  const shapes = await shapeOf(known.map((type, index) => `p${index}: { type: "${type}" }`).join());
  expect(shapes.map((prop) => prop.type)).toEqual(known);
  for (const type of ["strings", "float", "$.interface.apphook", ""]) {
    expect(JSON.stringify(await refuse(withProps(`a: { type: "${type}" }`))), type).toContain("/props/a");
  }
});

test("R048 lists of types that cannot be lists are refused", async () => {
  for (const type of ["app[]", "object[]", "$.interface.http[]", "$.interface.timer[]", "$.service.db[]"]) {
    expect(JSON.stringify(await refuse(withProps(`a: { type: "${type}", app: "acme" }`))), type).toContain("/props/a");
  }
});

test("R051 a bare string is the short form of a type", async () => {
  expect(await shapeOf('db: "$.service.db", url: "string"')).toMatchObject([
    { name: "db", type: "$.service.db" },
    { name: "url", type: "string" },
  ]);
});

test("R067 an app prop needs its slug", async () => {
  await refuse(withProps('a: { type: "app" }'));
  expect(await shapeOf('a: { type: "app", app: "acme" }')).toMatchObject([{ name: "a", type: "app", app: "acme" }]);
});

test("R082 a component needs code or a URL", async () => {
  const reply = await service.call("POST", "/components", {});
  expect([reply.status, reply.body.code]).toEqual([400, "missing_parameter"]);
  expect(reply.body.error).toContain("component_code");
  expect((await service.call("POST", "/components")).status).toBe(400);
});

test("R083 with code and URL the code is used and the URL is stored", async () => {
  const body = { component_code: component({ name: "Both" }), component_url: "https://example.test/both.mjs" };
  const reply = await service.call<Data<ComponentBody>>("POST", "/components", body);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toMatchObject({ name: "Both", component_url: "https://example.test/both.mjs" });
});

test("R084 the answer to saving a component has what a deploy needs", async () => {
  const saved = await save(component({ name: "Ready", props: 'a: "string"' }));
  const made = await service.call("POST", "/sources", { component_id: saved.id, configured_props: { a: "x" } });
  expect(saved).toMatchObject({ code: expect.any(String) as string, configurable_props: [{ name: "a" }] });
  expect(made.status).toBe(200);
});

test("R031 every problem of a component is listed", async () => {
  const { details } = await refuse('export default { props: { a: { type: "what" } }, dedupe: 5 };');
  const paths = (details.errors ?? []).map((problem) => problem.path);
  expect(paths).toEqual(expect.arrayContaining(["/name", "/version", "/run", "/dedupe"]));
  expect(paths.some((path) => path.startsWith("/props/a"))).toBe(true);
});

test("R140 code that cannot be bundled is 422 with the source location", async () => {
  const reply = await service.call("POST", "/components", { component_code: "export default {\n  name: 'a'\n  b" });
  expect([reply.status, reply.body.code]).toEqual([422, "bundle_failed"]);
  expect(JSON.stringify(reply.body)).toMatch(/3/);
});

test("R083 saving the same code with component_url stores the URL, and saving it without keeps the URL", async () => {
  const code = component({ name: "Located" });
  const save = async (more: object): Promise<ComponentBody> => {
    const reply = await service.call<Data<ComponentBody>>("POST", "/components", { component_code: code, ...more });
    expect(reply.status).toBe(200);
    return reply.body.data;
  };
  const first = await save({});
  expect(first.component_url).toBeNull();
  await service.advance(5_000);
  const url = "https://example.test/located.js";
  const second = await save({ component_url: url });
  expect([second.id, second.component_url, second.created_at]).toEqual([first.id, url, first.created_at]);
  expect(second.updated_at).toBe(first.updated_at + 5);
  expect(await save({})).toEqual(second);
  const moved = "https://example.test/moved.js";
  await service.deploy(code, {}, { component_url: moved });
  const { body } = await service.call<Data<ComponentBody>>("GET", `/components/${first.id}`);
  expect(body.data.component_url).toBe(moved);
});

test.each([
  ["key", `key: "${"k".repeat(257)}"`, "/key", "key must be at most 256 bytes, got 257"],
  ["name", `name: "${"ü".repeat(129)}"`, "/name", "name must be at most 256 bytes, got 258"],
  ["version", `version: "${"1".repeat(129)}"`, "/version", "version must be at most 128 bytes, got 129"],
  [
    "description",
    `description: "x".repeat(16385)`,
    "/description",
    "description must be at most 16384 bytes, got 16385",
  ],
  [
    "name of a prop",
    `props: { ["p".repeat(257)]: "string" }`,
    `/props/${"p".repeat(257)}`,
    `name of prop "${"p".repeat(60)}" must be at most 256 bytes, got 257`,
  ],
  [
    "label",
    `props: { a: { type: "string", label: "l".repeat(1025) } }`,
    "/props/a/label",
    'label of prop "a" must be at most 1024 bytes, got 1025',
  ],
  [
    "description of a prop",
    `props: { a: { type: "string", description: "l".repeat(16385) } }`,
    "/props/a/description",
    'description of prop "a" must be at most 16384 bytes, got 16385',
  ],
  [
    "props together",
    `props: { a: { type: "string", options: Array.from({ length: 1000 }, (_, n) => String(n).repeat(400)) } }`,
    "/props",
    "props must be at most 1048576 bytes of JSON together, got 1159042",
  ],
])("R033 a %s that is too long is refused when the component is saved", async (_what, member, path, message) => {
  const code = `export default { name: "Long", version: "1", run() {}, ${member} };`;
  const reply = await service.call("POST", "/components", { component_code: code });
  expect([reply.status, reply.body.code, reply.body.details.errors]).toEqual([
    400,
    "invalid_component",
    [{ path, message, file: "component.js", line: 1, column: expect.any(Number) }],
  ]);
});

test("R080 the longest key that can be saved can be read", async () => {
  const key = "ü".repeat(128);
  await service.call("POST", "/components", { component_code: component({ name: "Keyed", more: `key: "${key}",` }) });
  expect((await service.call("GET", `/components/${encodeURIComponent(key)}`)).status).toBe(200);
});
