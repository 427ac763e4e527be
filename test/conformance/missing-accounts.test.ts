import { afterAll, beforeAll, expect, test } from "vitest";

import {
  component,
  type Data,
  type ErrorBody,
  type Reply,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const acme = 'acme: { type: "app", app: "acme" }';
const code = component({ name: "Needs", props: `${acme}, other: { type: "app", app: "other", optional: true }` });
const deploy = (configured_props?: object): Promise<Reply<Data<SourceBody> & ErrorBody>> =>
  service.call("POST", "/sources", { component_code: code, ...(configured_props && { configured_props }) });
const refusal = {
  status: 400,
  code: "invalid_props",
  errors: [
    {
      in: "body",
      path: "/configured_props/acme",
      message: 'Prop "acme" is missing; expected an account of app "acme", as {"authProvisionId": "apn_…"}',
    },
  ],
};
const shown = ({ status, body }: Reply<ErrorBody>): unknown => ({
  status,
  code: body.code,
  errors: body.details.errors,
});

test("S36 a required app prop without an account is 400 naming prop and app, and nothing is deployed", async () => {
  for (const props of [undefined, {}, { acme: null }]) expect(shown(await deploy(props))).toEqual(refusal);
  const { body } = await service.call<{ data: object[] }>("GET", "/users/me/sources");
  expect(body.data).toEqual([]);
});

test("S36 a source with an account is deployed, and an update cannot remove the account", async () => {
  const account = await service.call<Data<{ id: string }>>("POST", "/accounts", { app: "acme", auth: {} });
  const made = await deploy({ acme: { authProvisionId: account.body.data.id } });
  expect(made.status).toBe(200);
  const { id } = made.body.data;
  expect(shown(await service.call("PATCH", `/sources/${id}`, { configured_props: { acme: null } }))).toEqual(refusal);
  expect((await service.call("PATCH", `/sources/${id}`, { name: "renamed" })).status).toBe(200);
  const more = component({ name: "Needs", props: `${acme}, second: { type: "app", app: "second" }` });
  const updated = await service.call("PUT", `/sources/${id}`, { component_code: more });
  expect([updated.status, updated.body.code]).toEqual([400, "invalid_props"]);
  expect(updated.body.error).toContain('Prop "second" is missing; expected an account of app "second"');
});

test("S36 missing accounts and other missing props are refused together, at a deploy and at an update", async () => {
  const wanting = component({ name: "Wanting", props: `${acme}, team: { type: "string" }, size: { type: "integer" }` });
  const created = await service.call("POST", "/sources", {
    component_code: wanting,
    configured_props: { size: "many" },
  });
  const paths = ({ body }: Reply<ErrorBody>): unknown => body.details.errors?.map(({ path }) => path).toSorted();
  const expected = ["acme", "size", "team"].map((name) => `/configured_props/${name}`);
  expect([created.status, created.body.code, paths(created)]).toEqual([400, "invalid_props", expected]);
  const compared = await service.call("POST", "/sources/compare", {
    component_code: wanting,
    configured_props: { size: "many" },
  });
  expect(paths(compared)).toEqual(expected);
  const plain = await service.deploy(component({ name: "Wanting", props: "" }));
  const updated = await service.call("PUT", `/sources/${plain.id}`, {
    component_code: wanting,
    configured_props: { size: 1 },
  });
  expect(paths(updated)).toEqual(["/configured_props/acme", "/configured_props/team"]);
});

test("S36 questions for options need no account", async () => {
  const asking = component({
    name: "Asking",
    more: 'key: "asking",',
    props: `${acme}, pick: { type: "string", options() { return ["a"]; } }`,
  });
  await service.call("POST", "/components", { component_code: asking });
  const reply = await service.call<{ string_options: string[] }>("POST", "/components/configure", {
    id: "asking",
    prop_name: "pick",
  });
  expect([reply.status, reply.body.string_options]).toEqual([200, ["a"]]);
});
