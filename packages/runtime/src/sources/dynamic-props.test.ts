import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { manualClock } from "../../../model/src/process/clock.ts";
import type { Json } from "../../../model/src/model.ts";
import {
  answerText,
  componentText,
  makeFolder,
  openTrial,
  removeFolders,
  startMs,
  type Trial,
  trialOf,
} from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { testEngine } from "../engine.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({
    accounts: ({ app, id }) => ({ token: `${app} ${id}` }),
    limits: { optionsTimeoutMs: 1_000 },
  });
});
afterAll(async () => {
  await trial.runtime.close();
  removeFolders();
});

/** A component whose props depend on `kind`. */
const shifting = (added: string, members = "run() {},", name = "Shifting"): string =>
  componentText(
    `props: { kind: { type: "string", reloadProps: true, optional: true }, own: { type: "string", optional: true, label: "Own" } },
     async additionalProps(previous) { ${added} }, ${members}`,
    name,
  );
const save = async (code: string): Promise<string> => (await trial.runtime.saveComponent({ code })).id;
const emitProps = `run() { this.$emit({ ...this }) },`;
type Props = { [prop: string]: Json };

describe("dynamicProps", () => {
  it("lists the component's own props and the added ones, resolved as at deploy", async () => {
    const app = `const acme = { type: "app", app: "acme", methods: { go() {} }, propDefinitions: {
      list: { type: "string", label: "List", options() { return [] } } } };\n`;
    const id = await save(
      app +
        shifting(`return { own: { type: "integer", min: 1 }, list: { propDefinition: [acme, "list"], optional: true },
          short: "boolean", choice: { type: "string[]", options: ["a"] } }`),
    );
    const { dynamicProps, errors } = await trial.runtime.dynamicProps({ id, configuredProps: { kind: "k" } });
    expect(errors).toEqual([]);
    expect(dynamicProps?.id).toMatch(/^dyp_[0-9A-Za-z]{10}$/);
    expect(dynamicProps?.configurableProps).toEqual([
      { name: "kind", type: "string", optional: true, reloadProps: true },
      { name: "own", type: "integer", min: 1 },
      { name: "list", type: "string", label: "List", optional: true, remoteOptions: true },
      { name: "short", type: "boolean" },
      { name: "choice", type: "string[]", options: ["a"] },
    ]);
  });

  it("accepts as many values without a prop as the method may return props", async () => {
    const id = await save(
      shifting(`return Object.fromEntries(Array.from({ length: 1000 }, (_, n) => ["v" + n, "integer"]))`),
    );
    const values = (count: number): Props => Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, n]));
    expect((await trial.runtime.dynamicProps({ id, configuredProps: values(1_000) })).errors).toEqual([]);
    await expect(trial.runtime.dynamicProps({ id, configuredProps: values(1_001) })).rejects.toMatchObject({
      code: "invalid_props",
      details: { errors: [{ path: "/configuredProps", message: expect.stringContaining("got 1001") as unknown }] },
    });
  });

  it("passes the known props to the method, keeps its changes, and reads its result", async () => {
    const id = await save(
      shifting(`previous.own.hidden = true; const again = previous.extra ? { ...previous, more: "string" } : { extra: { type: "string", secret: true } };
        console.log(Object.keys(previous).join()); return again`),
    );
    const first = await trial.runtime.dynamicProps({ id, configuredProps: { kind: "k" } });
    expect(first.observations.map(({ msg, context }) => [msg, context])).toEqual([["kind,own", "additionalProps"]]);
    expect(first.dynamicProps?.configurableProps.slice(1)).toEqual([
      { name: "own", type: "string", optional: true, label: "Own", hidden: true },
      { name: "extra", type: "string", secret: true },
    ]);
    const dynamicPropsId = first.dynamicProps?.id ?? "";
    const second = await trial.runtime.dynamicProps({ id, dynamicPropsId, configuredProps: { kind: "k", extra: "e" } });
    expect(second.observations.map(({ msg }) => msg)).toEqual(["kind,own,extra"]);
    expect(second.dynamicProps?.configurableProps.map(({ name }) => name)).toEqual(["kind", "own", "extra", "more"]);
    expect(second.dynamicProps?.id).not.toBe(dynamicPropsId);
  });

  it("names invalid props, and keeps the others", async () => {
    const id = await save(shifting(`return { bad: { type: "nope" }, good: "string", odd: 5 }`));
    const { dynamicProps, errors } = await trial.runtime.dynamicProps({ id });
    expect(errors.map(({ code, message }) => [code, message])).toEqual([
      ["invalid_result", expect.stringContaining(`type "nope" is unknown`)],
      ["invalid_result", expect.stringContaining(`Prop "odd" must be an object or the name of a type, got 5`)],
    ]);
    expect(errors[0]?.message).toContain("/props/bad/type");
    expect(dynamicProps?.configurableProps.map(({ name }) => name)).toEqual(["kind", "own", "good"]);
  });

  it.each([
    ["a throw", `throw new Error("no such board")`, "component_threw", "no such board"],
    ["an endless loop", `for (;;);`, "sandbox_timeout", "additionalProps ran longer"],
  ])("gives null and the error after %s", async (_, body, code, message) => {
    const { dynamicProps, errors } = await trial.runtime.dynamicProps({ id: await save(shifting(body)) });
    expect(dynamicProps).toBeNull();
    expect(errors).toMatchObject([{ code, message: expect.stringContaining(message) as string }]);
  });

  it("names the type of a result that is not an object", async () => {
    const { errors } = await trial.runtime.dynamicProps({ id: await save(shifting(`return ["a"]`)) });
    expect(errors[0]?.message).toBe("additionalProps must return an object of props by name, got an array");
    const none = await trial.runtime.dynamicProps({ id: await save(shifting(`return undefined`)) });
    expect([none.errors, none.dynamicProps?.configurableProps.length]).toEqual([[], 2]);
  });

  it("adds nothing for a component without the method", async () => {
    const id = await save(componentText(`props: { a: "string" }, run() {},`));
    const { dynamicProps } = await trial.runtime.dynamicProps({ id });
    expect(dynamicProps?.configurableProps).toEqual([{ name: "a", type: "string" }]);
  });

  it("refuses values of unknown props and invalid values", async () => {
    const id = await save(shifting(`return { count: "integer" }`));
    const given = (configuredProps: Props): Promise<unknown> => trial.runtime.dynamicProps({ id, configuredProps });
    await expect(given({ cuont: 1 })).rejects.toMatchObject({
      code: "invalid_props",
      message: expect.stringContaining(`did you mean "count"`) as string,
    });
    await expect(given({ count: "one" })).rejects.toMatchObject({ code: "invalid_props" });
    await expect(given({ kind: 5 })).rejects.toMatchObject({ code: "invalid_props" });
  });

  it("refuses ids of another component", async () => {
    const [id, other] = [await save(shifting(`return {}`)), await save(shifting(`return { x: "string" }`))];
    const { dynamicProps } = await trial.runtime.dynamicProps({ id });
    const dynamicPropsId = dynamicProps?.id ?? "";
    await expect(trial.runtime.dynamicProps({ id: other, dynamicPropsId })).rejects.toMatchObject({
      code: "invalid_parameter",
    });
    await expect(trial.runtime.dynamicProps({ id, dynamicPropsId: "dyp_none" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("sources with dynamic props", () => {
  const added = `return this.kind ? { [this.kind]: { type: "string" }, pin: { type: "string", secret: true, optional: true } } : {}`;

  it("S6 are deployed without a prior question, and validated against the added props", async () => {
    const code = shifting(added, emitProps);
    const { source, configuredProps, component } = await trial.deploy(code, {
      kind: "board",
      board: "b1",
      pin: "123456",
    });
    expect(configuredProps).toEqual({ kind: "board", board: "b1", pin: { __secret: true } });
    expect(component.shape.props.map(({ name }) => name)).toEqual(["kind", "own"]);
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toMatchObject([{ kind: "board", board: "b1", pin: "123456" }]);
    await expect(trial.deploy(code, { kind: "board" })).rejects.toMatchObject({ code: "invalid_props" });
    await expect(trial.deploy(code, { kind: "board", baord: "x" })).rejects.toMatchObject({
      message: expect.stringContaining(`did you mean "board"`) as string,
    });
    await expect(trial.deploy(code, { board: "b1" })).rejects.toMatchObject({ code: "invalid_props" });
  });

  it("S6 use the props of an earlier answer by their id", async () => {
    const id = await save(
      shifting(
        `return { n: { type: "integer", default: ${startMs} }, at: { type: "string", default: String(Math.random()) } }`,
        emitProps,
      ),
    );
    const { dynamicProps } = await trial.runtime.dynamicProps({ id });
    const at = dynamicProps?.configurableProps.find(({ name }) => name === "at")?.default;
    const { source } = await trial.runtime.deploy({
      componentId: id,
      dynamicPropsId: dynamicProps?.id ?? "",
      props: { n: 5 },
    });
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toMatchObject([{ n: 5, at }]);
    await expect(trial.runtime.deploy({ componentId: id, dynamicPropsId: "dyp_gone" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("are refused with the exception of additionalProps", async () => {
    const code = shifting(
      `console.log("asked", this.token); throw new TypeError("no board " + this.kind)`,
      "run() {},",
      "Refused",
    );
    const failure = trial.deploy(code, { kind: "k" });
    await expect(failure).rejects.toMatchObject({
      code: "additional_props_failed",
      message: "additionalProps of component Refused failed: no board k",
      details: { name: "TypeError", error_code: "component_threw", observations: [{ msg: "asked undefined" }] },
    });
    expect((await trial.runtime.sources({ limit: 100 })).items.some(({ source }) => source.name === "Refused")).toBe(
      false,
    );
  });

  it("mask secrets of props that are not known yet in logs", async () => {
    const code = shifting(`console.log("pin " + this.pin); throw new Error("pin " + this.pin)`);
    await expect(trial.deploy(code, { kind: "k", pin: "hidden-pin" })).rejects.toMatchObject({
      message: expect.stringContaining("pin ***") as string,
      details: { observations: [{ msg: "pin ***" }] },
    });
  });

  it("S16 mask secrets in the messages about invalid props", async () => {
    for (const given of ["this.pin", "{ a: { type: this.pin } }", "{ [this.pin]: { type: 5 } }"]) {
      const id = await save(shifting(`return ${given}`));
      const answer = await trial.runtime.dynamicProps({ id, configuredProps: { kind: "k", pin: "very-secret-pin" } });
      expect(answer.errors).toMatchObject([{ code: "invalid_result" }]);
      expect(JSON.stringify(answer.errors)).not.toContain("very-secret-pin");
    }
  });

  it("S16 mask the secrets of dynamic props in logs", async () => {
    const code = shifting(added, `run() { console.log("pin " + this.pin) },`);
    const { source } = await trial.deploy(code, { kind: "board", board: "b", pin: "987654321" });
    await trial.runtime.invoke(source.id);
    expect(await trial.log(source.id)).toEqual(["pin ***"]);
  });

  it("are computed anew only when props or code change", async () => {
    const marked = `const at = { type: "string", default: String(Math.random()) };
      return this.kind ? { [this.kind]: { type: "string" }, at } : {}`;
    const { source } = await trial.deploy(shifting(marked, emitProps), { kind: "board", board: "b1" });
    const renamed = await trial.runtime.update(source.id, { name: "Renamed" });
    expect(renamed.source.dynamicProps).toEqual(source.dynamicProps);
    expect([renamed.source.name, renamed.configuredProps["board"]]).toEqual(["Renamed", "b1"]);
    const changed = await trial.runtime.update(source.id, { props: { kind: "list", list: "l1" } });
    expect(changed.configuredProps).toEqual({ kind: "list", list: "l1" });
    expect(changed.source.dynamicProps?.[1]).not.toEqual(source.dynamicProps?.[1]);
    await expect(trial.runtime.update(source.id, { props: { board: "b2" } })).rejects.toMatchObject({
      code: "invalid_props",
    });
    const without = await trial.runtime.update(source.id, {
      code: componentText(`props: { kind: "string" }, run() {},`),
    });
    expect([without.configuredProps, without.source.dynamicProps]).toEqual([{ kind: "list" }, undefined]);
  });

  it("keep their props when the component fails during an update", async () => {
    const code = shifting(`if (this.kind === "bad") throw new Error("bad kind"); ${added}`, emitProps);
    const { source } = await trial.deploy(code, { kind: "board", board: "b1" });
    await expect(trial.runtime.update(source.id, { props: { kind: "bad" } })).rejects.toMatchObject({
      code: "additional_props_failed",
    });
    expect((await trial.runtime.source(source.id)).configuredProps).toEqual({ kind: "board", board: "b1" });
  });

  it("have their values as members of this in additionalProps, so that one choice can depend on another", async () => {
    const code = shifting(
      `return { ...(this.kind && { board: { type: "string", reloadProps: true } }), ...(this.board && { list: "string" }) }`,
      emitProps,
    );
    const { configuredProps } = await trial.deploy(code, { kind: "k", board: "b", list: "l" });
    expect(configuredProps).toEqual({ kind: "k", board: "b", list: "l" });
  });

  it("may have interfaces, a db and accounts as dynamic props", async () => {
    const code = shifting(
      `return { http: { type: "$.interface.http", customResponse: true }, timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
        store: "$.service.db", acme: { type: "app", app: "acme" } }`,
      `run(event) { this.store.set("runs", (this.store.get("runs") ?? 0) + 1);
        if (event.method) this.http.respond({ status: 200, body: this.acme.$auth.token + " " + this.http.endpoint.length });
        this.$emit([this.store.get("runs"), this.timer.intervalSeconds]) },`,
    );
    const view = await trial.deploy(code, {
      kind: "k",
      acme: { authProvisionId: "apn_1" },
      timer: { intervalSeconds: 30 },
    });
    expect(view.configuredProps).toMatchObject({
      http: { endpoint_url: expect.stringContaining("/in/") as string },
      timer: { cron: null, interval_seconds: 30 },
      store: { type: "$.service.db" },
      acme: { authProvisionId: "apn_1" },
    });
    expect(answerText(await trial.hit(view))).toMatch(/^acme apn_1 \d+$/);
    await trial.advance(30_000);
    expect(await trial.payloads(view.source.id)).toEqual([
      [1, 30],
      [2, 30],
    ]);
  });

  it("answer questions for options of dynamic props, of a component and of a source", async () => {
    const code = shifting(
      `return { board: { type: "string", optional: true, options({ page }) { return [this.kind + page, String(this.own)] } } }`,
    );
    const { source, component } = await trial.deploy(code, { kind: "k", own: "o" });
    const asked = { propName: "board", page: 2 };
    const ofSource = await trial.runtime.configure({
      sourceId: source.id,
      ...asked,
      configuredProps: { own: "given" },
    });
    expect(ofSource).toMatchObject({ stringOptions: ["k2", "given"], errors: [] });
    const { dynamicProps } = await trial.runtime.dynamicProps({ id: component.id, configuredProps: { kind: "x" } });
    for (const known of [{}, { dynamicPropsId: dynamicProps?.id ?? "" }]) {
      const ofComponent = await trial.runtime.configure({
        id: component.id,
        ...asked,
        ...known,
        configuredProps: { kind: "x" },
      });
      expect(ofComponent).toMatchObject({ stringOptions: ["x2", "undefined"], errors: [] });
    }
    await expect(trial.runtime.configure({ id: component.id, propName: "baord" })).rejects.toMatchObject({
      code: "invalid_parameter",
      message: expect.stringContaining(`did you mean "board"`) as string,
    });
  });

  it("survive a restart, with their validation, their timer and their secrets", async () => {
    const data = makeFolder();
    const open = async (): Promise<Trial> => {
      const clock = manualClock(startMs);
      const runtime = await createRuntime({ data, clock, engine: await testEngine() });
      await runtime.start();
      return trialOf(runtime, clock);
    };
    const code = shifting(
      `return { board: "string", pin: { type: "string", secret: true }, timer: "$.interface.timer" }`,
      `run() { this.$emit(this.board); console.log(this.pin) },`,
    );
    const before = await open();
    const given = { kind: "k", board: "b1", pin: "123456", timer: { intervalSeconds: 10 } };
    const { source } = await before.deploy(code, given);
    const { dynamicProps } = await before.runtime.dynamicProps({ id: source.componentId, configuredProps: given });
    await before.runtime.close();

    const after = await open();
    await after.advance(10_000);
    expect(await after.payloads(source.id)).toEqual(["b1"]);
    expect(await after.log(source.id)).toEqual(["***"]);
    expect((await after.runtime.source(source.id)).configuredProps).toEqual({
      kind: "k",
      board: "b1",
      pin: { __secret: true },
      timer: { cron: null, interval_seconds: 10 },
    });
    const kept = await after.runtime.update(source.id, { props: { board: "b2", pin: { __secret: true } } });
    expect(kept.source.configuredProps).toMatchObject({ board: "b2", pin: "123456" });

    // Props that were not deployed are lost, and the error says what to do.
    const again = { componentId: source.componentId, props: given };
    await expect(after.runtime.deploy({ ...again, dynamicPropsId: dynamicProps?.id ?? "" })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringMatching(/at a restart\. Request them again, or omit the id/) as string,
    });
    expect((await after.runtime.deploy(again)).source.configuredProps).toMatchObject({ board: "b1", pin: "123456" });
    await after.runtime.close();
  });
});
