import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type ComponentBody, type Data, type Reply, type Service, type SourceBody, startService } from "./fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "x-registry-"));

/** The log of a service. */
interface Log {
  /** Resolves when a line contains the text. */
  logged(text: string): Promise<void>;
}

function createLog(): Log & { logger: { info: typeof log; warn: typeof log; error: typeof log } } {
  const lines: string[] = [];
  let next = Promise.withResolvers<void>();
  return {
    logger: { info: log, warn: log, error: log },
    async logged(text) {
      while (!lines.some((line) => line.includes(text))) await next.promise;
    },
  };
  function log(message: string, fields: Record<string, unknown> = {}): void {
    lines.push(`${message} ${JSON.stringify(fields)}`);
    next.resolve();
    next = Promise.withResolvers();
  }
}

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

const keyed = (key: string, version = "1"): string =>
  `export default { name: "Name of ${key}", key: "${key}", version: "${version}", run() { this.$emit("${version}"); } };`;

interface RegistryPage extends Data<readonly { key: string }[]> {
  readonly page_info: { readonly end_cursor: string };
}

let service: Service;
const serviceLog = createLog();
beforeAll(async () => {
  write(
    "acme/sources/new/new.mjs",
    `import base from "../../common/base.mjs";
     export default { ...base, name: "New things", key: "acme-new-things", version: "0.1.0" };`,
  );
  write("acme/common/base.mjs", `export default { run() { this.$emit("shared"); } };`);
  write("both.mjs", keyed("both", "of the registry"));
  write("moving.mjs", keyed("moving"));
  write("a key.mjs", keyed("spaces/and slashes"));
  write("broken.mjs", "export default {");
  service = await startService({ registry: folder, logger: serviceLog.logger });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const published = (key: string): Promise<Reply<Data<ComponentBody>>> =>
  service.call("GET", `/components/registry/${encodeURIComponent(key)}`);
const save = (code: string): Promise<Reply<Data<ComponentBody>>> =>
  service.call("POST", "/components", { component_code: code });
const deploy = (body: object): Promise<Reply<Data<SourceBody>>> => service.call("POST", "/sources", body);

test("R081 a component of the registry is shown by its key, in full", async () => {
  const reply = await published("acme-new-things");
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body.data).toMatchObject({
    id: expect.stringMatching(/^sc_/) as string,
    name: "New things",
    key: "acme-new-things",
    version: "0.1.0",
    code: expect.stringContaining("../../common/base.mjs") as string,
    component_url: null,
  });
  // A lookup waits for files that seem to declare its key; the list waits for all of them.
  await service.call("GET", "/components/registry");
  expect((await published("spaces/and slashes")).status).toBe(200);
});

test("components of the registry are listed by key, without broken files and without those of users", async () => {
  await save(keyed("a-users-own"));
  const { status, body } = await service.call<Data<readonly { key: string }[]>>("GET", "/components/registry");
  expect(status).toBe(200);
  expect(body.data.map(({ key }) => key)).toEqual(["acme-new-things", "both", "moving", "spaces/and slashes"]);
  const { data } = (await published("acme-new-things")).body;
  const again = await service.call<RegistryPage>("GET", "/components/registry?limit=1");
  expect(again.body).toEqual({
    page_info: { total_count: 4, count: 1, start_cursor: expect.any(String), end_cursor: expect.any(String) },
    data: [
      {
        file: "acme/sources/new/new.mjs",
        key: "acme-new-things",
        name: "New things",
        version: "0.1.0",
        type: "source",
        state: "evaluated",
        component_id: data.id,
      },
    ],
    progress: { known: 4, evaluated: expect.any(Number), refused: expect.any(Number), total: 5 },
  });
});

test("the list of the registry is searched by words, app and type, and read in pages", async () => {
  const keysOf = async (query: string): Promise<readonly string[]> =>
    (await service.call<RegistryPage>("GET", `/components/registry?${query}`)).body.data.map(({ key }) => key);
  expect(await keysOf("q=THINGS%20acme")).toEqual(["acme-new-things"]);
  expect(await keysOf("q=acme%20nothing")).toEqual([]);
  expect(await keysOf("app=acme")).toEqual([]);
  expect(await keysOf("type=action")).toEqual([]);
  expect(await keysOf("type=source&q=mov")).toEqual(["moving"]);
  const { page_info: first } = (await service.call<RegistryPage>("GET", "/components/registry?limit=3")).body;
  expect(await keysOf(`limit=3&after=${first.end_cursor}`)).toEqual(["spaces/and slashes"]);
});

test("R081 components that a user saved, broken ones and unknown ones are not found in the registry", async () => {
  const own = await save(keyed("own-only"));
  for (const key of ["own-only", own.body.data.id, "broken", "no-such-key", "constructor"]) {
    expect([key, (await published(key)).status]).toEqual([key, 404]);
  }
  const { body } = await published("acme-new-things");
  expect((await published(body.data.id)).status).toBe(404);
});

test("R081 a component of the registry whose packages cannot be installed is refused with the reason, when read and when deployed", async () => {
  const home = join(folder, ".lacking");
  mkdirSync(home);
  writeFileSync(join(home, "lacking.mjs"), `import "some-package";\n${keyed("lacking")}`);
  await using lacking = await startService({ registry: home, packages: false });
  const replies = [
    await lacking.call("GET", "/components/registry/lacking"),
    await lacking.call("POST", "/sources", { key: "lacking" }),
  ];
  for (const { status, body } of replies) {
    expect([status, body.code]).toEqual([422, "package_unresolved"]);
    expect(body.error).toContain('Package "some-package" imported by lacking.mjs');
  }
  expect((await lacking.call("GET", "/components/registry/other")).status).toBe(404);
  expect((await lacking.call("GET", "/components/lacking")).status).toBe(404);
});

test("R080 a component of the registry is read by its id, but not by its key", async () => {
  const { body } = await published("acme-new-things");
  const byId = await service.call<Data<ComponentBody>>("GET", `/components/${body.data.id}`);
  expect([byId.status, byId.body]).toEqual([200, body]);
  expect((await service.call("GET", "/components/acme-new-things")).status).toBe(404);
});

test("R086 a source is deployed by the key or the id of a registry component, and runs", async () => {
  const { body } = await published("acme-new-things");
  for (const reference of [{ key: "acme-new-things" }, { component_id: body.data.id }]) {
    const reply = await deploy(reference);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(reply.body.data.component_id).toBe(body.data.id);
    await service.run(reply.body.data.id);
    expect(await service.emitted(reply.body.data.id)).toEqual(["shared"]);
  }
  const unknown = await service.call("POST", "/sources", { key: "no-such-key" });
  expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
});

test("G61 a user's own component with a key overrides that of the registry", async () => {
  const before = await deploy({ key: "both" });
  const own = await save(keyed("both", "of the user"));
  const after = await deploy({ key: "both" });
  const registered = await published("both");
  expect(registered.body.data.version).toBe("of the registry");
  expect([before.body.data.component_id, after.body.data.component_id]).toEqual([
    registered.body.data.id,
    own.body.data.id,
  ]);
  const byKey = await service.call<Data<ComponentBody>>("GET", "/components/both");
  expect(byKey.body.data.id).toBe(own.body.data.id);
});

test("G59 the same code saved by a user is a component of that user", async () => {
  const registered = await published("moving");
  const own = await save(registered.body.data.code);
  expect(own.body.data.code_hash).toBe(registered.body.data.code_hash);
  expect(own.body.data.id).not.toBe(registered.body.data.id);
});

test("S10 changes in the folder apply without a restart, and deployed sources keep their code", async () => {
  const source = await deploy({ key: "moving" });
  const first = await published("moving");
  // A component of the user would override it.
  write("moved.mjs", keyed("moved"));
  write("moving.mjs", keyed("moving", "2"));
  await serviceLog.logged('"key":"moving","version":"2"');
  const second = await published("moving");
  expect([second.body.data.version, second.body.data.id === first.body.data.id]).toEqual(["2", false]);
  expect((await service.call<Data<ComponentBody>>("GET", `/components/${first.body.data.id}`)).body.data.version).toBe(
    "1",
  );
  await service.run(source.body.data.id);
  expect(await service.emitted(source.body.data.id)).toEqual(["1"]);
  expect((await published("moved")).status).toBe(200);
  rmSync(join(folder, "moved.mjs"));
  await serviceLog.logged('the registry no longer has a component {"key":"moved"}');
  expect((await published("moved")).status).toBe(404);
});

test("R081 every user can read the registry, by key and by id, but not components of other users", async () => {
  const { apiKey } = await service.runtime.addUser({ username: "other" });
  const headers = { authorization: `Bearer ${apiKey}` };
  const registered = await service.call<Data<ComponentBody>>("GET", "/components/registry/both", undefined, headers);
  expect(registered.body.data.version).toBe("of the registry");
  const byId = await service.call("GET", `/components/${registered.body.data.id}`, undefined, headers);
  expect(byId.status).toBe(200);
  // The component that the first user saved under the key does not affect the other user.
  const source = await service.call<Data<SourceBody>>("POST", "/sources", { key: "both" }, headers);
  expect([source.status, source.body.data.component_id]).toEqual([200, registered.body.data.id]);
  const own = await save(keyed("of-the-first"));
  for (const reference of [{ key: "of-the-first" }, { component_id: own.body.data.id }]) {
    expect((await service.call("POST", "/sources", reference, headers)).status).toBe(404);
  }
});

test("S10 a service without a registry has no published components", async () => {
  await using bare = await startService();
  const reply = await bare.call("GET", "/components/registry/acme-new-things");
  expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
  expect((await bare.call("POST", "/components/registry/x")).status).toBe(405);
});
