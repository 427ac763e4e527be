import { join } from "node:path";

import { createRuntime } from "@x/runtime";
import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import { openBook } from "./book.ts";
import { createDevFile } from "./dev-file.ts";

test("a source whose entry was lost when the process died is found again, and no second one is made", async () => {
  await using folder = await makeFolder({ "a.js": `export default { name: "A", version: "1", run() {} };` });
  await using runtime = await createRuntime({ workers: 0 });
  const file = join(folder.path, "a.js");
  const open = () => createDevFile({ file, root: undefined, props: {}, book: openBook(folder.path), runtime });
  // Up to the moment at which it died.
  const { id: componentId } = await runtime.saveComponent({ file });
  await runtime.deploy({ componentId, name: "Somebody else's" });
  const others = openBook(folder.path);
  others.enter(join(folder.path, "b.js"), (await runtime.sources({ limit: 1 })).items[0]?.source.id ?? "");
  others.begin(file, componentId);
  const { source: orphan } = await runtime.deploy({ componentId });

  expect(await open().load()).toMatchObject({ ok: true, emitter: { id: orphan.id }, change: "unchanged" });
  expect((await runtime.sources({ limit: 10 })).totalCount).toBe(2);
  expect(openBook(folder.path).sourceOf(file)).toBe(orphan.id);

  await runtime.delete(orphan.id);
  expect(await open().load()).toMatchObject({ ok: true, change: "new" });
});
