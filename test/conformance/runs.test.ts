import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type ExecutionBody, type Service, startService } from "./fixture.ts";

const appAccount = { oauth_access_token: "token-of-account" };
let service: Service;
/** For runs that never end. */
let brief: Service;
beforeAll(async () => {
  const memoryBytes = 32 * 1024 * 1024;
  service = await startService({
    network: { mode: "allow-private" },
    limits: { memoryBytes },
    accounts: ({ app, id }) => (app === "acme" && id === "apn_1" ? appAccount : undefined),
  });
  brief = await startService({ limits: { runTimeoutMs: 500, memoryBytes } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await brief[Symbol.asyncDispose]();
});

/** Deploys, runs once, and resolves with the emitted events. */
async function emittedBy(parts: Parameters<typeof component>[0], props: object = {}): Promise<readonly unknown[]> {
  const { id } = await service.deploy(component(parts), props);
  const execution = await service.run(id);
  expect(execution.error).toBeNull();
  return service.emitted(id);
}
const outcomeOf = async (run: string, props = ""): Promise<ExecutionBody> =>
  service.run((await service.deploy(component({ props, run }))).id);

test("R036 configured values are members of this in run, hooks and methods", async () => {
  const parts = {
    props: 'text: "string", list: "string[]", flag: "boolean", n: "integer", o: "object"',
    more: `methods: { all() { return [this.text, this.list, this.flag, this.n, this.o]; } },
      hooks: { deploy() { this.$emit(["deploy", this.text]); } },`,
    run: 'this.$emit(["run", this.text]); this.$emit(this.all());',
  };
  const props = { text: "a", list: ["b"], flag: false, n: 0, o: { k: null } };
  expect(await emittedBy(parts, props)).toEqual([
    ["deploy", "a"],
    ["run", "a"],
    ["a", ["b"], false, 0, { k: null }],
  ]);
});

test("R037 methods call each other and are called from run and hooks", async () => {
  const more = `methods: { one() { return "1" + this.two(); }, two() { return "2"; }, async later() { return "3"; } },
    hooks: { activate() { this.$emit(this.one()); } },`;
  expect(await emittedBy({ more, run: "this.$emit(this.one()); this.$emit(await this.later())" })).toEqual([
    "12",
    "12",
    "3",
  ]);
});

test("R040 run gets the event that triggered it", async () => {
  const { id } = await service.deploy(component({ run: "this.$emit(event)" }));
  const events = [{ a: 1 }, [1, 2], "text", 0, null];
  for (const event of events) await service.run(id, event);
  expect(await service.emitted(id)).toEqual(events);
});

test("G26 a manual run without an event gets an empty object", async () => {
  expect(await emittedBy({ run: "this.$emit([typeof event, event])" })).toEqual([["object", {}]]);
});

test("R064 db.get of a key that was never set is undefined", async () => {
  const run = 'this.$emit(String(this.db.get("nothing")))';
  expect(await emittedBy({ props: 'db: "$.service.db"', run })).toEqual(["undefined"]);
});

test("R065 the next run reads what db.set stored", async () => {
  const run = 'this.$emit(this.db.get("v") ?? "first"); this.db.set("v", { at: [1, null, "x"] });';
  const { id } = await service.deploy(component({ props: 'db: "$.service.db"', run }));
  await service.run(id);
  await service.run(id);
  expect(await service.emitted(id)).toEqual(["first", { at: [1, null, "x"] }]);
});

test("R066 db works in hooks and methods, and belongs to one source", async () => {
  const parts = {
    props: 'db: "$.service.db"',
    more: `methods: { next() { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); return n; } },
      hooks: { deploy() { this.db.set("from", "deploy"); }, activate() { this.db.set("from", this.db.get("from") + "+activate"); } },`,
    run: 'this.$emit([this.db.get("from"), this.next(), this.next()])',
  };
  const first = await service.deploy(component(parts));
  const second = await service.deploy(component(parts));
  await service.run(first.id);
  await service.run(first.id);
  await service.run(second.id);
  expect(await service.emitted(first.id)).toEqual([
    ["deploy+activate", 1, 2],
    ["deploy+activate", 3, 4],
  ]);
  expect(await service.emitted(second.id)).toEqual([["deploy+activate", 1, 2]]);
});

test("G52 db is synchronous, and awaiting it also works", async () => {
  const run = `this.db.set("k", { n: 1 }); const now = this.db.get("k").n;
    await this.db.set("k", { n: 2 }); this.$emit([now, (await this.db.get("k")).n, this.db.get("k") instanceof Promise]);`;
  expect(await emittedBy({ props: 'db: "$.service.db"', run })).toEqual([[1, 2, false]]);
});

test("G53 db gives and takes copies, undefined deletes, and null is kept", async () => {
  const run = `const value = { n: 1, d: new Date(0), u: undefined }; this.db.set("k", value); value.n = 2;
    const one = this.db.get("k"); one.n = 3;
    this.db.set("gone", 1); this.db.set("gone", undefined); this.db.set("null", null);
    this.$emit([this.db.get("k"), this.db.has("gone"), String(this.db.get("gone")), this.db.get("null")]);`;
  expect(await emittedBy({ props: 'db: "$.service.db"', run })).toEqual([
    [{ n: 1, d: "1970-01-01T00:00:00.000Z" }, false, "undefined", null],
  ]);
});

test("G51 a db value over 60 KiB throws at the call", async () => {
  const props = 'db: "$.service.db"';
  const fits = await outcomeOf('this.db.set("k", "x".repeat(60 * 1024 - 2))', props);
  const over = await outcomeOf('this.db.set("k", "x".repeat(60 * 1024))', props);
  expect([fits.status, over.status, over.error?.name]).toEqual(["ok", "error", "DbValueTooLargeError"]);
});

const acmeApp = `const acme = { type: "app", app: "acme", propDefinitions: {}, methods: {
  token() { return this.$auth.oauth_access_token; }, hello(name) { return name + ":" + this.token(); } } };\n`;

/** What a component with the app emits when it is deployed and run. */
async function emittedWithApp(parts: Parameters<typeof component>[0]): Promise<readonly unknown[]> {
  const code = component({ before: acmeApp, props: "acme", ...parts });
  const { id } = await service.deploy(code, { acme: { authProvisionId: "apn_1" } });
  expect((await service.run(id)).error).toBeNull();
  return service.emitted(id);
}

test("R067 an app prop is configured with an account, and shown as given", async () => {
  const source = await service.deploy(component({ before: acmeApp, props: "acme" }), {
    acme: { authProvisionId: "apn_1" },
  });
  expect(source.configured_props).toEqual({ acme: { authProvisionId: "apn_1" } });
});

test("R068 $auth is a member of this.<app> in run, hooks and methods, and of this inside the app", async () => {
  const token = "this.acme.$auth.oauth_access_token";
  const more = `methods: { m() { return ${token}; } }, hooks: { deploy() { this.$emit(this.acme.$auth); } },`;
  const emitted = await emittedWithApp({
    more,
    run: `this.$emit([${token}, this.m(), this.acme.token(), typeof this.$auth])`,
  });
  const value = appAccount.oauth_access_token;
  expect(emitted).toEqual([appAccount, [value, value, value, "undefined"]]);
});

test("R069 methods of an app are members of this.<app>, and of this inside the app", async () => {
  const more =
    "methods: { m() { return this.acme.hello('m'); } }, hooks: { deploy() { this.$emit(this.acme.hello('d')); } },";
  const emitted = await emittedWithApp({
    more,
    run: "this.$emit([this.acme.hello('r'), this.m(), typeof this.hello])",
  });
  const value = appAccount.oauth_access_token;
  expect(emitted).toEqual([`d:${value}`, [`r:${value}`, `m:${value}`, "undefined"]]);
});

test("S16 credentials of an account are masked in logs and errors", async () => {
  const { id } = await service.deploy(
    component({
      props: 'acme: { type: "app", app: "acme" }',
      run: "console.log(this.acme.$auth); throw new Error(this.acme.$auth.oauth_access_token)",
    }),
    { acme: { authProvisionId: "apn_1" } },
  );
  const execution = await service.run(id);
  expect(execution.error?.message).toBe("***");
  const shown = [execution, await service.events(id, "$logs/"), await service.events(id, "$errors/")];
  expect(JSON.stringify(shown)).not.toContain(appAccount.oauth_access_token);
});

test("G25 run-now answers with the result, on both of its paths", async () => {
  const run = "console.log('hello', 1); this.$emit(event.n, { summary: 'S' })";
  const { id } = await service.deploy(component({ run }));
  for (const [index, name] of ["run", "event"].entries()) {
    const reply = await service.call<Data<ExecutionBody>>("POST", `/sources/${id}/${name}`, { event: { n: index } });
    expect([reply.status, Object.keys(reply.body)], name).toEqual([200, ["data"]]);
    expect(reply.body.data, name).toEqual({
      execution_id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
      status: "ok",
      duration_ms: expect.any(Number) as number,
      emitted: [{ id: (await service.events(id)).at(-1)?.id, summary: "S" }],
      deduped: 0,
      response: null,
      logs: [expect.objectContaining({ k: "console.log", data: ["hello", 1] }) as object],
      error: null,
    });
  }
  expect(await service.emitted(id)).toEqual([0, 1]);
});

test("S2 a run that throws is still 200; wait false answers queued", async () => {
  const { id } = await service.deploy(component({ run: "this.$emit(1); throw new Error('x')" }));
  const thrown = await service.call<Data<ExecutionBody>>("POST", `/sources/${id}/run`, {});
  expect(thrown.status).toBe(200);
  expect(thrown.body.data).toMatchObject({ status: "error", error: { message: "x" }, emitted: [{}] });
  const queued = await service.call<Data<ExecutionBody>>("POST", `/sources/${id}/run`, { wait: false });
  expect(queued.status).toBe(200);
  expect(queued.body.data).toEqual({ execution_id: expect.any(String) as string, status: "queued" });
  await service.runtime.idle();
  expect(await service.emitted(id)).toHaveLength(2);
});

test("S2 an inactive source runs only with force", async () => {
  const { id } = await service.deploy(component({ run: "this.$emit(1)" }));
  await service.call("PATCH", `/sources/${id}`, { active: false });
  const refused = await service.call("POST", `/sources/${id}/run`, {});
  expect([refused.status, refused.body.code]).toEqual([409, "inactive"]);
  const forced = await service.call<Data<ExecutionBody>>("POST", `/sources/${id}/run`, { force: true });
  expect([forced.status, forced.body.data.status]).toEqual([200, "ok"]);
});

test("G54 a run that exceeds its time is stopped, and keeps its emits so far", async () => {
  const { id } = await brief.deploy(component({ run: "this.$emit('before'); for (;;) {}" }));
  const { status, error } = await brief.run(id);
  expect([status, error?.code]).toEqual(["timeout", "sandbox_timeout"]);
  expect(await brief.emitted(id)).toEqual(["before"]);
  expect(await brief.events(id, "$errors/")).toHaveLength(1);
});

test("S24 db writes made before a timeout are kept", async () => {
  const run =
    'this.db.set("n", (this.db.get("n") ?? 0) + 1); this.$emit(this.db.get("n")); if (!event.end) for (;;) {}';
  const { id } = await brief.deploy(component({ props: 'db: "$.service.db"', run }));
  await brief.run(id);
  expect((await brief.run(id, { end: true })).status).toBe("ok");
  expect(await brief.emitted(id)).toEqual([1, 2]);
});

test("S24 effects before a toJSON that calls itself are kept, both at an emit and in the error of the run", async () => {
  const run = `this.$emit("kept"); this.db.set("runs", (this.db.get("runs") ?? 0) + 1);
    if (event.last) { Object.prototype.toJSON = () => ({ error: { message: {} } }); throw new Error("late"); }
    const own = { toJSON: () => JSON.stringify(own) }; this.$emit(own);`;
  const { id } = await brief.deploy(component({ props: 'db: "$.service.db"', run }));
  const { status, error } = await brief.run(id);
  expect([status, error?.name]).toEqual(["error", "EmitSerializationError"]);
  // Which error it gets is not certain: the engine or the timeout ends it first.
  expect((await brief.run(id, { last: true })).status).not.toBe("ok");
  expect(await brief.emitted(id)).toEqual(["kept", "kept"]);
  expect(await brief.events(id, "$errors/")).toHaveLength(2);
  const stored = await brief.call<Data<{ value: number }>>("GET", `/sources/${id}/db/runs`);
  expect(stored.body.data.value).toBe(2);
});

test("G54 a run that exceeds its memory is stopped", async () => {
  const outcome = await outcomeOf("const all = []; for (;;) all.push(new Uint8Array(1024 * 1024).fill(1));");
  expect(outcome.status).toBe("out_of_memory");
});

test("G55 an event nested deeper than 256 levels is refused at the emit", async () => {
  const nested = (levels: number): string =>
    `let value = 1; for (let i = 0; i < ${levels}; i++) value = [value]; this.$emit(value);`;
  expect((await outcomeOf(nested(250))).status).toBe("ok");
  const { status, error } = await outcomeOf(nested(300));
  expect(status).toBe("error");
  expect(error?.name).toMatch(/^Emit\w*Error$/);
});

test("G56 emitting in deactivate is an error", async () => {
  const { id } = await service.deploy(component({ more: "hooks: { deactivate() { this.$emit(1); } }," }));
  const reply = await service.call("DELETE", `/sources/${id}`);
  expect([reply.status, reply.body.code]).toEqual([422, "hook_failed"]);
  expect((await service.call("DELETE", `/sources/${id}?ignore_hook_errors=true`)).status).toBe(204);
});

test("G57 hooks have all members of this, but cannot respond", async () => {
  const parts = {
    props: 'http: { type: "$.interface.http", customResponse: true }, db: "$.service.db", name: "string"',
    run: "this.http.respond({ status: 204 })",
    more: `methods: { m() { return "m"; } }, hooks: { activate() {
      let refused = false; try { this.http.respond({ status: 200 }); } catch { refused = true; }
      this.$emit([typeof this.http.endpoint, typeof this.db.get, this.name, this.m(), refused]); } },`,
  };
  expect(await emittedBy(parts, { name: "n" })).toEqual([["string", "function", "n", "m", true]]);
});

test("R038 the output of hooks is in $logs with the hook's name", async () => {
  const { id } = await service.deploy(component({ more: "hooks: { deploy() { console.log('from hook'); } }," }));
  const logs = await service.events(id, "$logs/");
  expect(logs.map((row) => row.event)).toContainEqual(
    expect.objectContaining({ k: "console.log", data: ["from hook"], context: "hook.deploy" }),
  );
});

test("R120 each run starts from fresh module state", async () => {
  const { id } = await service.deploy(component({ before: "let count = 0;", run: "count += 1; this.$emit(count)" }));
  await service.run(id);
  await service.run(id);
  expect(await service.emitted(id)).toEqual([1, 1]);
});

test("G40 runs of one source are sequential", async () => {
  const run = `const n = this.db.get("n") ?? 0; await Promise.resolve(); this.db.set("n", n + 1); this.$emit(n + 1);`;
  const { id } = await service.deploy(component({ props: 'db: "$.service.db"', run }));
  await Promise.all(Array.from({ length: 8 }, () => service.run(id)));
  expect(await service.emitted(id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("G43 an exception keeps earlier emits and db writes, and leaves one error record", async () => {
  const { id } = await service.deploy(
    component({
      props: 'db: "$.service.db"',
      run: `this.db.set("n", (this.db.get("n") ?? 0) + 1); this.$emit(this.db.get("n")); throw new Error("x");`,
    }),
  );
  await service.run(id);
  await service.run(id);
  expect(await service.emitted(id)).toEqual([1, 2]);
  expect(await service.events(id, "$errors/")).toHaveLength(2);
});

test("S22 the error of a run has a code, and the name, message and stack of the exception", async () => {
  const { id } = await service.deploy(
    component({ run: "\nclass Odd extends Error { name = 'Odd' }\nthrow new Odd('m')" }),
  );
  const { status, error } = await service.run(id);
  expect(status).toBe("error");
  expect(error).toMatchObject({ code: "component_threw", name: "Odd", message: "m" });
  expect(error?.stack).toMatch(/:\d+/);
});

test("S22 a stack names the line of the author's code", async () => {
  const code = `export default {
  name: "Lines", version: "1",
  run() {
    const nothing = undefined;
    return nothing.member; // line 5
  },
};`;
  const { id } = await service.deploy(code);
  const { error } = await service.run(id);
  expect(error?.name).toBe("TypeError");
  expect(error?.stack).toMatch(/run .*:5:\d+/);
});
