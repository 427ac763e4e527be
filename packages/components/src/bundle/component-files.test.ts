import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { readComponentFiles } from "./component-files.ts";

const texts = {
  "package.json": '{"name":"shop","dependencies":{"left-pad":"^1.3.0"}}',
  "sources/orders.ts": `import pad from "left-pad";
import app from "../acme.app.mjs";
export default { name: "Orders", version: "1", props: { app }, run(event: number) { this.$emit(pad(String(event), 2)); } };`,
  "acme.app.mjs": 'import shape from "./shape.json"; export default { type: "app", app: "acme", shape };',
  "shape.json": "{}",
  "unused.ts": "export default 1;",
  "broken.ts": "export default {",
};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-files-"));
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

test("a component's files are those it imports, and the package.json with its versions; nothing is installed", async () => {
  const { entry, files } = await readComponentFiles({ file: join(folder, "sources/orders.ts") });
  expect(entry).toBe("sources/orders.ts");
  const { "unused.ts": _, "broken.ts": __, ...needed } = texts;
  expect(files).toEqual(needed);
});

test("code that cannot be parsed, and a file that is missing, are refused as by a deploy", async () => {
  for (const name of ["broken.ts", "none.ts"])
    await expect(readComponentFiles({ file: join(folder, name) }), name).rejects.toMatchObject({
      code: "bundle_failed",
    });
});
