import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { UpdateInput } from "../api/api.ts";
import { kindOf, stepsOf } from "./transition-plan.ts";
import {
  componentText,
  createGate,
  gatedProp,
  gatedValue,
  hooksText,
  openTrial,
  settleTurns,
  type Trial,
} from "../runtime.cases.ts";

let trial: Trial;
const gate = createGate();
beforeAll(async () => {
  trial = await openTrial({ accounts: gate.accounts });
});
afterAll(() => trial.runtime.close());

const hookFailure = { code: "hook_failed" };
/** Hooks that write their names; those that the prop names throw afterwards. */
const failing = (mark: string, hooks: readonly string[]): string =>
  componentText(
    `props: { db: "$.service.db" }, hooks: { ${["deploy", "activate", "deactivate"]
      .map(
        (hook) =>
          `${hook}() { console.log("${hook} ${mark}"); this.db.set("last", "${hook} ${mark}"); ${hooks.includes(hook) ? `throw new Error("${hook} ${mark} fails")` : ""} }`,
      )
      .join(", ")} }, run() { console.log("run ${mark}"); this.$emit(this.db.get("last")); },`,
  );

describe("deploy", () => {
  it("R075 a saved component cannot be run", async () => {
    const component = await trial.runtime.saveComponent({ code: hooksText("saved") });
    await expect(trial.runtime.invoke(component.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("R076 a failed deploy leaves no component, and its key means the same component as before", async () => {
    const keyed = (hook: string): string =>
      componentText(`key: "kept-key", hooks: { deploy() { ${hook} } }, run() {},`);
    const before = await trial.deploy(keyed(""));
    await expect(trial.runtime.deploy({ code: keyed('throw new Error("no")') })).rejects.toMatchObject(hookFailure);
    expect((await trial.runtime.component("kept-key")).id).toBe(before.component.id);
    const update = { code: keyed("this.changed()"), props: { unknown: 1 } };
    await expect(trial.runtime.update(before.source.id, update)).rejects.toMatchObject({ code: "invalid_props" });
    expect((await trial.runtime.component("kept-key")).id).toBe(before.component.id);
  });

  it("R007 the same code deployed several times at once is one component, also beside a deploy that fails", async () => {
    const code = componentText(`props: { url: "string" }, run() {},`);
    const deploy = (props: Record<string, string>) => trial.runtime.deploy({ code, props });
    const outcomes = await Promise.allSettled([
      deploy({}),
      deploy({ url: "a" }),
      trial.runtime.saveComponent({ code }),
      deploy({ url: "b" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
    const ids = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled"
        ? ["component" in outcome.value ? outcome.value.component.id : outcome.value.id]
        : [],
    );
    expect(new Set(ids).size).toBe(1);
    expect((await trial.runtime.component(ids[0] ?? "")).code).toBe(code);
  });

  it("R076 deploy and then activate run once each, and the id is new", async () => {
    const first = await trial.deploy(hooksText("a"));
    const second = await trial.deploy(hooksText("a"));
    expect(first.source.id).toMatch(/^dc_/);
    expect(second.source.id).not.toBe(first.source.id);
    expect(await trial.log(first.source.id)).toEqual(["deploy a", "activate a"]);
    expect(await trial.log(second.source.id)).toEqual(["deploy a", "activate a"]);
  });

  it("4.4 activate sees the db writes of deploy, and logs name the hook", async () => {
    const { source } = await trial.deploy(
      componentText(
        `props: { db: "$.service.db" }, hooks: { deploy() { this.db.set("at", 7) }, activate() { console.log(this.db.get("at")) } }, run() {},`,
      ),
    );
    const [record] = (await trial.payloads(source.id, "$logs")) as { [field: string]: unknown }[];
    expect(record).toMatchObject({ k: "console.log", msg: "7", data: [7], context: "hook.activate" });
  });

  it.each([
    [["deploy"], ["deploy", "deactivate"]],
    [["activate"], ["deploy", "activate", "deactivate"]],
    [
      ["activate", "deactivate"],
      ["deploy", "activate", "deactivate"],
    ],
  ])("3.3 a deploy whose %j throws leaves nothing behind", async (hooks, ran) => {
    const before = (await trial.runtime.sources({ limit: 100 })).totalCount;
    const name = { name: `After ${hooks.join("-")}` };
    const failure: unknown = await trial.deploy(failing("x", hooks), {}, name).catch((error: unknown) => error);
    expect(failure).toMatchObject({ ...hookFailure, details: { hook: hooks[0], name: "Error" } });
    const { observations } = (failure as { details: { observations: { k: string; msg?: string }[] } }).details;
    expect(observations.filter(({ k }) => k === "console.log").map(({ msg }) => msg)).toEqual(
      ran.map((hook) => `${hook} x`),
    );
    expect((await trial.runtime.sources({ limit: 100 })).totalCount).toBe(before);
    // Its slug is free again, and the next deploy sees nothing of the failed one.
    const next = await trial.deploy(failing("x", []), {}, name);
    expect(next.source.nameSlug).toBe(`after-${hooks.join("-")}`);
    expect(await trial.log(next.source.id)).toEqual(["deploy x", "activate x"]);
  });

  it("G56 emits of deploy and activate are events; emit_on_deploy false silences deploy only", async () => {
    const code = componentText(
      `hooks: { deploy() { this.$emit("deploy") }, activate() { this.$emit("activate") } }, run() {},`,
    );
    const loud = await trial.deploy(code);
    const quiet = await trial.deploy(code, {}, { emitOnDeploy: false });
    expect(await trial.payloads(loud.source.id)).toEqual(["deploy", "activate"]);
    expect(await trial.payloads(quiet.source.id)).toEqual(["activate"]);
  });

  it("G57 hooks see props, methods, endpoint and $auth; respond throws there", async () => {
    const { source } = await trial.deploy(
      componentText(`
        props: { http: "$.interface.http", text: "string", app: { type: "app", app: "demo" } },
        methods: { shout() { return this.text.toUpperCase() } },
        hooks: { activate() {
          console.log(this.shout(), this.http.endpoint.includes("/in/"), typeof this.app.$auth);
          try { this.http.respond({ status: 200 }) } catch (error) { console.log(error.message) }
        } },
        run() {},`),
      { text: "quiet", app: { authProvisionId: "apn_1" } },
    );
    expect(await trial.log(source.id)).toEqual([
      "QUIET true object",
      "this.http.respond is only available in a run that a request to http started",
    ]);
  });
});

describe("update", () => {
  const transitions: readonly [boolean, boolean, readonly string[]][] = [
    [true, true, ["deactivate old", "activate new"]],
    [true, false, ["deactivate old"]],
    [false, true, ["activate new"]],
    [false, false, []],
  ];

  it.each(transitions)("R077 R079 active %s to %s runs %j once, in this order", async (was, becomes, expected) => {
    const { source } = await trial.deploy(hooksText("old"));
    if (!was) await trial.runtime.update(source.id, { active: false });
    const before = await trial.log(source.id);
    const view = await trial.runtime.update(source.id, { code: hooksText("new"), active: becomes });
    expect((await trial.log(source.id)).slice(before.length)).toEqual(expected);
    expect(view.source).toMatchObject({ id: source.id, active: becomes });
    const all = ["deploy", "activate", "deactivate"] as const;
    expect(stepsOf(kindOf(was, becomes), { before: all, after: all }).length).toBe(expected.length);
  });

  it("R077 the next run has the new code and the new props", async () => {
    const code = (mark: string): string =>
      componentText(`props: { text: "string" }, run() { this.$emit("${mark} " + this.text) },`);
    const { source } = await trial.deploy(code("old"), { text: "a" });
    await trial.runtime.invoke(source.id);
    await trial.runtime.update(source.id, { code: code("new"), props: { text: "b" } });
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual(["old a", "new b"]);
  });

  it("3.3 a PATCH that changes nothing runs no hook, a PUT always does", async () => {
    const code = hooksText("same", `props: { text: { type: "string", optional: true } },`);
    const { source } = await trial.deploy(code, { text: "a" });
    const patches: UpdateInput[] = [{}, { active: true }, { props: { text: "a" } }, { code }, { name: source.name }];
    for (const patch of patches) await trial.runtime.update(source.id, patch);
    expect(await trial.log(source.id)).toEqual(["deploy same", "activate same"]);
    await trial.runtime.update(source.id, { code, replace: true });
    expect((await trial.log(source.id)).slice(2)).toEqual(["deactivate same", "activate same"]);
  });

  it("T1 a PUT without name and active renames to the component and activates", async () => {
    const code = hooksText("put");
    const { source } = await trial.deploy(code, {}, { name: "Mine own" });
    await trial.runtime.update(source.id, { active: false });
    const put = await trial.runtime.update(source.id, { code, replace: true });
    expect(put.source.active).toBe(true);
    expect(put.source.nameSlug).toMatch(/^trial/);
    await expect(trial.runtime.update(source.id, { replace: true })).rejects.toMatchObject({
      code: "missing_parameter",
    });
  });

  it("G58 props merge by key, null unsets, and a missing required one refuses the update", async () => {
    const code = componentText(
      `props: { a: "string", b: { type: "string", optional: true } }, run() { this.$emit([this.a, this.b ?? null]) },`,
    );
    const { source } = await trial.deploy(code, { a: "1", b: "2" });
    await trial.runtime.update(source.id, { props: { a: "3" } });
    await trial.runtime.invoke(source.id);
    await trial.runtime.update(source.id, { props: { b: null } });
    await trial.runtime.invoke(source.id);
    await expect(trial.runtime.update(source.id, { props: { a: null } })).rejects.toMatchObject({
      code: "invalid_props",
    });
    expect(await trial.payloads(source.id)).toEqual([
      ["3", "2"],
      ["3", null],
    ]);
  });

  it("S9 endpoint, db and events survive an update", async () => {
    const code = (mark: string): string =>
      componentText(
        `props: { http: "$.interface.http", db: "$.service.db" }, run() { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit("${mark} " + n) },`,
      );
    const { source } = await trial.deploy(code("old"));
    await trial.runtime.invoke(source.id);
    const view = await trial.runtime.update(source.id, { code: code("new") });
    await trial.runtime.invoke(source.id);
    expect(view.source.endpoints).toEqual(source.endpoints);
    expect(await trial.payloads(source.id)).toEqual(["old 1", "new 2"]);
  });
});

describe("a failed update", () => {
  it("S8 changes nothing when deactivate throws", async () => {
    const { source } = await trial.deploy(failing("old", ["deactivate"]));
    await expect(trial.runtime.update(source.id, { code: failing("new", []) })).rejects.toMatchObject(hookFailure);
    expect((await trial.runtime.source(source.id)).source).toEqual(source);
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual(["activate old"]);
    expect(await trial.log(source.id)).toEqual(["deploy old", "activate old", "run old"]);
  });

  it("S8 continues with ignore_hook_errors, and records the error", async () => {
    const { source } = await trial.deploy(failing("old", ["deactivate"]));
    await trial.runtime.update(source.id, { code: failing("new", []), ignoreHookErrors: true });
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual(["activate new"]);
    expect(await trial.payloads(source.id, "$errors")).toMatchObject([
      { error: { code: "Error", cellId: "c_deactivate", msg: "deactivate old fails" } },
    ]);
  });

  it("S8 restores the old code and state when the new activate throws, and runs the old activate again", async () => {
    const { source } = await trial.deploy(failing("old", []));
    const failure = await trial.runtime
      .update(source.id, { code: failing("new", ["activate"]) })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ ...hookFailure, details: { hook: "activate" } });
    expect((await trial.runtime.source(source.id)).source).toEqual(source);
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual(["activate old"]);
    expect(await trial.log(source.id)).toEqual(["deploy old", "activate old", "activate old", "run old"]);
    expect(await trial.payloads(source.id, "$errors")).toEqual([]);
  });

  it("S8 leaves the source inactive with an error record when the old activate throws too", async () => {
    const once = componentText(
      `props: { db: "$.service.db" }, hooks: { activate() { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); if (n > 1) throw new RangeError("again") } }, run() {},`,
    );
    const { source } = await trial.deploy(once);
    await expect(trial.runtime.update(source.id, { code: failing("new", ["activate"]) })).rejects.toMatchObject({
      ...hookFailure,
      details: { name: "Error" },
    });
    const after = await trial.runtime.source(source.id);
    expect(after.source).toMatchObject({ active: false, componentId: source.componentId });
    expect(await trial.payloads(source.id, "$errors")).toMatchObject([
      { error: { code: "RangeError", cellId: "c_activate", msg: "again" } },
    ]);
    await expect(trial.runtime.invoke(source.id)).rejects.toMatchObject({ code: "inactive" });
  });

  it("S8 leaves an inactive source inactive when activate throws", async () => {
    const { source } = await trial.deploy(failing("old", []));
    await trial.runtime.update(source.id, { active: false });
    await expect(
      trial.runtime.update(source.id, { code: failing("new", ["activate"]), active: true }),
    ).rejects.toMatchObject(hookFailure);
    expect((await trial.runtime.source(source.id)).source).toMatchObject({
      active: false,
      componentId: source.componentId,
    });
    expect(await trial.log(source.id)).toEqual(["deploy old", "activate old", "deactivate old"]);
  });

  it("G56 $emit in deactivate is an error", async () => {
    const { source } = await trial.deploy(componentText(`hooks: { deactivate() { this.$emit(1) } }, run() {},`));
    await expect(trial.runtime.update(source.id, { active: false })).rejects.toThrow(
      "$emit is not available in the deactivate hook",
    );
  });
});

describe("delete", () => {
  it("R078 runs deactivate, then deletes the source", async () => {
    const { source } = await trial.deploy(
      componentText(`hooks: { deactivate() { throw new Error("stay") } }, run() {},`),
    );
    await expect(trial.runtime.delete(source.id)).rejects.toMatchObject({ code: "hook_failed" });
    expect((await trial.runtime.source(source.id)).source.active).toBe(true);
    await trial.runtime.delete(source.id, { ignoreHookErrors: true });
    await expect(trial.runtime.source(source.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(trial.runtime.invoke(source.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("R078 deletes an inactive source without a hook", async () => {
    const { source } = await trial.deploy(
      componentText(
        `props: { db: "$.service.db" }, hooks: { deactivate() { if (this.db.has("done")) throw new Error("twice"); this.db.set("done", 1) } }, run() {},`,
      ),
    );
    await trial.runtime.update(source.id, { active: false });
    await trial.runtime.delete(source.id);
    await expect(trial.runtime.delete(source.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("waits for the run under way; later triggers find no source", async () => {
    const { source } = await trial.deploy(
      componentText(`props: { ${gatedProp} }, run() { this.$emit(1) },`),
      gatedValue,
    );
    const received: unknown[] = [];
    const stop = new AbortController();
    const listening = (async () => {
      for await (const { event } of trial.runtime.events({ sourceId: source.id, signal: stop.signal }))
        received.push(event.payload);
    })();
    gate.close();
    const first = trial.runtime.invoke(source.id);
    await settleTurns();
    const deleted = trial.runtime.delete(source.id);
    await settleTurns();
    const late = trial.runtime.invoke(source.id).catch((error: unknown) => error);
    await settleTurns();
    gate.open();
    expect(await first).toMatchObject({ status: "ok", emitted: [{}] });
    await deleted;
    expect(await late).toMatchObject({ code: "not_found" });
    stop.abort();
    await listening;
    expect(received).toEqual(["1"]);
    await expect(trial.runtime.storedEvents(source.id, "emits", { limit: 1 })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
