import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "@x/runtime";

import {
  component,
  type ComponentBody,
  type Data,
  type ErrorBody,
  type Reply,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";

interface PropsBody {
  readonly observations: readonly { readonly msg?: string }[];
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly dynamic_props: null | {
    readonly id: string;
    readonly configurable_props: readonly { readonly name: string; readonly type: string }[];
  };
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const save = async (code: string): Promise<string> =>
  (await service.call<Data<ComponentBody>>("POST", "/components", { component_code: code })).body.data.id;
const props = async (body: object): Promise<PropsBody> => {
  const reply = await service.call<PropsBody>("POST", "/components/props", body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
};
const deploy = (body: object): Promise<Reply<Data<SourceBody> & ErrorBody>> => service.call("POST", "/sources", body);

const growing = component({
  name: "Growing",
  props: `board: { type: "string", optional: true, reloadProps: true }, plain: { type: "string", optional: true }`,
  more: `async additionalProps() { console.log("board", this.board);
    if (this.board === "closed") throw new Error("the board is closed");
    return this.board ? { list: { type: "string", options() { return [this.board + ".1"] } }, pin: { type: "string", secret: true, optional: true } } : {} },`,
  run: `this.$emit([this.board, this.list, this.pin]); console.log(this.pin)`,
});

test("G23 additionalProps adds props to those of a component", async () => {
  const id = await save(growing);
  const answer = await props({ id, configured_props: { board: "b1" } });
  expect(Object.keys(answer).toSorted()).toEqual(["dynamic_props", "errors", "observations"]);
  expect(answer.errors).toEqual([]);
  expect(answer.observations).toMatchObject([{ msg: "board b1" }]);
  expect(answer.dynamic_props?.id).toMatch(/^dyp_/);
  expect(answer.dynamic_props?.configurable_props.map(({ name }) => name)).toEqual(["board", "plain", "list", "pin"]);
  expect(answer.dynamic_props?.configurable_props[2]).toEqual({ name: "list", type: "string", remoteOptions: true });
  const failed = await props({ id, configured_props: { board: "closed" } });
  expect(failed).toMatchObject({ dynamic_props: null, errors: [{ message: "the board is closed" }] });
  const asked = { configured_props: { board: "b1" }, dynamic_props_id: answer.dynamic_props?.id };
  const choices = await service.call<{ string_options: Json }>("POST", "/components/configure", {
    id,
    prop_name: "list",
    ...asked,
  });
  expect(choices.body.string_options).toEqual(["b1.1"]);
});

test("S6 sources take dynamic props by their id; without it the component is asked before the validation", async () => {
  const id = await save(growing);
  const dynamic_props_id = (await props({ id, configured_props: { board: "b1" } })).dynamic_props?.id;
  const configured_props = { board: "b1", list: "b1.1", pin: "123456" };
  for (const more of [{ dynamic_props_id }, {}]) {
    const reply = await deploy({ component_id: id, configured_props, ...more });
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    const source = reply.body.data;
    expect(source.configured_props).toEqual({ board: "b1", list: "b1.1", pin: { __secret: true } });
    await service.run(source.id);
    expect(await service.emitted(source.id)).toEqual([["b1", "b1.1", "123456"]]);
    const patched = await service.call<Data<SourceBody>>("PATCH", `/sources/${source.id}`, {
      configured_props: { list: "b1.2" },
      ...more,
    });
    expect(patched.body.data.configured_props).toMatchObject({ list: "b1.2", pin: { __secret: true } });
    const put = await service.call<Data<SourceBody>>("PUT", `/sources/${source.id}`, { component_id: id, ...more });
    expect(put.body.data.configured_props).toMatchObject({ list: "b1.2" });
  }
  const missing = await deploy({ component_id: id, configured_props: { board: "b1" } });
  expect([missing.status, missing.body.code]).toEqual([400, "invalid_props"]);
});

test("props are asked for a source with its stored secrets and values, which no answer shows", async () => {
  const code = component({
    name: "Stored",
    props: `key: { type: "string", secret: true }, board: { type: "string", optional: true, reloadProps: true }`,
    more: `async additionalProps() { console.log("key", this.key);
      return { [this.board ?? "none"]: { type: "string", optional: true, default: "for " + this.key,
        description: this.key === "sesame-1234" ? "known" : "unknown" } }; },`,
  });
  const source = await service.deploy(code, { key: "sesame-1234", board: "b1" });
  const ask = async (body: object): Promise<PropsBody> =>
    (await service.call<PropsBody>("POST", `/sources/${source.id}/props`, body)).body;
  const stored = await ask({});
  expect(stored.dynamic_props?.configurable_props.at(-1)).toMatchObject({ name: "b1", description: "known" });
  const other = await ask({ configured_props: { board: "b2", key: { __secret: true } } });
  expect(other.dynamic_props?.configurable_props.at(-1)).toMatchObject({ name: "b2", description: "known" });
  expect(JSON.stringify([stored, other])).not.toContain("sesame-1234");
  const typed = await ask({ configured_props: { board: null, key: "another-key" } });
  expect(typed.dynamic_props?.configurable_props.at(-1)).toMatchObject({ name: "none", description: "unknown" });
  const dynamic_props_id = other.dynamic_props?.id;
  const patch = { configured_props: { board: "b2", b2: "set" }, dynamic_props_id };
  const patched = await service.call<Data<SourceBody>>("PATCH", `/sources/${source.id}`, patch);
  expect(patched.body.data.configured_props).toMatchObject({ board: "b2", b2: "set", key: { __secret: true } });
  expect((await service.call("POST", "/sources/dc_none/props", {})).status).toBe(404);
  const unknown = await service.call("POST", `/sources/${source.id}/props`, { configured_props: { nothing: 1 } });
  expect([unknown.status, unknown.body.code]).toEqual([400, "invalid_props"]);
});

test("S6 a source is not created when additionalProps fails", async () => {
  const reply = await deploy({ component_code: growing, configured_props: { board: "closed" } });
  expect([reply.status, reply.body.code]).toEqual([422, "additional_props_failed"]);
  expect(reply.body.error).toContain("the board is closed");
  expect(reply.body.details).toMatchObject({ name: "Error", observations: [{ msg: "board closed" }] });
});

test("G23 ids of dynamic props work for their user only", async () => {
  const other = await service.runtime.addUser({ username: "options-props" });
  const { id } = await service.runtime.as(other.id).saveComponent({ code: growing });
  const theirs = await service.runtime.as(other.id).dynamicProps({ id, configuredProps: { board: "b1" } });
  const own = await save(growing);
  for (const dynamic_props_id of [theirs.dynamicProps?.id, "dyp_none"]) {
    const reply = await deploy({ component_id: own, dynamic_props_id, configured_props: { board: "b1", list: "l" } });
    expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  }
});
