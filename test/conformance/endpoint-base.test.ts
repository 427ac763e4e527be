import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type List, type Service, type SourceBody, startService } from "./fixture.ts";

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "x-base-"));
});
afterAll(() => rm(data, { recursive: true, force: true }));

const hooks = (names: readonly string[]): string =>
  `hooks: { ${names
    .map(
      (name) => `${name}() {
    this.db.set("log", [...(this.db.get("log") ?? []), "${name} " + this.http?.endpoint.split("/in/")[0]]);
  }`,
    )
    .join(", ")} },`;
const both = hooks(["activate", "deactivate"]);
const db = 'db: "$.service.db"';
const http = `${db}, http: "$.interface.http"`;

interface Stated extends SourceBody {
  readonly state: { readonly endpoint_changed: boolean };
}
const changed = async ({ call }: Service, id: string): Promise<boolean> =>
  (await call<Data<Stated>>("GET", `/sources/${id}?expand=state`)).body.data.state.endpoint_changed;

async function during<T>(host: string, act: (service: Service) => Promise<T>): Promise<T> {
  await using service = await startService({ data, publicUrl: `https://${host}.example.com` });
  return await act(service);
}

test("S52 endpoint_changed says that the base is another one than at activate; reactivate registers the endpoints anew", async () => {
  const ids = await during("one", async (service) => {
    const deploy = async (more: string, props = http): Promise<string> =>
      (await service.deploy(component({ props, more, run: "" }))).id;
    const made = {
      registered: await deploy(both),
      withoutHook: await deploy(hooks(["deactivate"])),
      withoutEndpoint: await deploy(both, db),
      paused: await deploy(both),
    };
    const { status, body } = await service.call("PATCH", `/sources/${made.paused}`, { active: false });
    expect([status, body]).toMatchObject([200, { data: { active: false } }]);
    for (const id of Object.values(made)) expect(await changed(service, id)).toBe(false);
    return made;
  });
  const { registered, withoutHook, withoutEndpoint, paused } = ids;
  await during("one", async (service) => {
    expect(await changed(service, registered)).toBe(false);
  });
  await during("two", async (service) => {
    const { call } = service;
    const { body } = await call<List<Stated>>("GET", "/users/me/sources?expand=state");
    expect(body.data.filter(({ state }) => state.endpoint_changed).map(({ id }) => id)).toEqual([registered]);

    const { status } = await call("POST", `/sources/${registered}/reactivate`, {});
    expect([status, await changed(service, registered)]).toEqual([200, false]);
    const base = ["one", "two", "two"].map((host) => `https://${host}.example.com`);
    const log = await call<Data<{ value: string[] }>>("GET", `/sources/${registered}/db/log`);
    expect(log.body.data.value).toEqual([`activate ${base[0]}`, `deactivate ${base[1]}`, `activate ${base[2]}`]);
    expect((await call("POST", `/sources/${withoutHook}/reactivate`, {})).status).toBe(200);
    expect((await call("POST", `/sources/${withoutEndpoint}/reactivate`, {})).status).toBe(200);
    const refused = await call("POST", `/sources/${paused}/reactivate`, {});
    expect([refused.status, refused.body.code]).toEqual([409, "inactive"]);
    await call("PATCH", `/sources/${paused}`, { active: true });
    expect(await changed(service, paused)).toBe(false);
  });
});

test("S52 a hook that fails leaves the source as it was, unless its errors are ignored", async () => {
  const more = `hooks: { activate() {}, deactivate() { throw new Error("gone"); } },`;
  const id = await during(
    "three",
    async (service) => (await service.deploy(component({ props: http, more, run: "" }))).id,
  );
  await during("four", async (service) => {
    const refused = await service.call("POST", `/sources/${id}/reactivate`, {});
    expect([refused.status, refused.body.code, await changed(service, id)]).toEqual([422, "hook_failed", true]);
    const { status } = await service.call("POST", `/sources/${id}/reactivate?ignore_hook_errors=true`, {});
    expect([status, await changed(service, id)]).toEqual([200, false]);
  });
});
