import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createRuntime } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { parseConfig } from "../apply/config.ts";
import { makeFolder } from "../spawned.cases.ts";
import { openDevState } from "./dev-state.ts";
import { createDevAccounts } from "./dev-accounts.ts";
import { readDevConfig } from "./dev-config.ts";
import { createDevFile } from "./dev-file.ts";

test("a source whose deploy was not recorded before the process died is found again; no second one is created", async () => {
  await using folder = await makeFolder({ "a.js": `export default { name: "A", version: "1", run() {} };` });
  await using runtime = await createRuntime({ engine: await testEngine() });
  const file = join(folder.path, "a.js");
  const open = () => {
    const state = openDevState(folder.path);
    const accounts = createDevAccounts({ accounts: {}, state, runtime });
    return createDevFile({ file, root: undefined, props: {}, accounts, state, runtime });
  };
  // Up to the moment at which it died.
  const { id: componentId } = await runtime.saveComponent({ file });
  await runtime.deploy({ componentId, name: "Somebody else's" });
  const others = openDevState(folder.path);
  others.setSource(join(folder.path, "b.js"), (await runtime.sources({ limit: 1 })).items[0]?.source.id ?? "");
  others.beginDeploy(file, componentId);
  const { source: orphan } = await runtime.deploy({ componentId });

  expect(await open().load()).toMatchObject({ ok: true, emitter: { id: orphan.id }, change: "unchanged" });
  expect((await runtime.sources({ limit: 10 })).totalCount).toBe(2);
  expect(openDevState(folder.path).sourceOf(file)).toBe(orphan.id);

  await runtime.delete(orphan.id);
  expect(await open().load()).toMatchObject({ ok: true, change: "new" });
});

test("the source of a file that becomes a workflow is inactive until the file is a component again", async () => {
  const component = `export default { name: "A", version: "1", props: { timer: "$.interface.timer" }, run() {} };`;
  const flow = `export default { name: "W", steps: [{ type: "action", name: "s", run() {} }] };`;
  await using folder = await makeFolder({ "a.js": component });
  await using runtime = await createRuntime({ engine: await testEngine() });
  const file = join(folder.path, "a.js");
  const state = openDevState(folder.path);
  const accounts = createDevAccounts({ accounts: {}, state, runtime });
  const dev = createDevFile({ file, root: undefined, props: {}, accounts, state, runtime });
  const isActive = async (): Promise<boolean | undefined> =>
    (await runtime.sources({ limit: 1 })).items[0]?.source.active;

  expect([await dev.load(), await isActive()]).toMatchObject([{ ok: true, change: "new" }, true]);
  const { id } = dev.emitter ?? {};
  await writeFile(file, flow);
  expect([await dev.load(), await isActive()]).toMatchObject([{ ok: true, emitter: { name: "W" } }, false]);
  await writeFile(file, component);
  expect([await dev.load(), await isActive()]).toMatchObject([{ ok: true, emitter: { id } }, true]);
});

test("G56 a source of a config with emitOnDeploy: false keeps no events of its deploy hook", async () => {
  const code = `export default { name: "A", version: "1", hooks: { deploy() { this.$emit("hook"); } }, run() {} };`;
  await using folder = await makeFolder({ "loud.js": code, "silent.js": code });
  await using runtime = await createRuntime({ engine: await testEngine() });
  const sources = {
    loud: { file: "loud.js" },
    silent: { file: "silent.js", emitOnDeploy: false },
  };
  const config = parseConfig({ project: "p", sources }, "x.config.ts");
  const { files, sources: named } = readDevConfig({ config, file: "x.config.ts", folder: folder.path });
  const state = openDevState(folder.path);
  const accounts = createDevAccounts({ accounts: {}, state, runtime });
  const counts: number[] = [];
  for (const file of files) {
    const emitOnDeploy = named.get(file)?.emitOnDeploy ?? true;
    const dev = createDevFile({ file, root: undefined, props: {}, emitOnDeploy, accounts, state, runtime });
    await dev.load();
    counts.push((await runtime.storedEvents(dev.emitter?.id ?? "", "emits", { limit: 10 })).items.length);
  }
  expect(counts).toEqual([1, 0]);
});
