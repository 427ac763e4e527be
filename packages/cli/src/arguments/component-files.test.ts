import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";
import { findComponentFiles } from "./component-files.ts";

const code = "export default { name: 'A', version: '1', run() {} };";

test("of a folder only the components are taken; tests on the command line are skipped with a message", async () => {
  await using folder = await makeFolder({
    "a.js": code,
    "sources/b.ts": code,
    "flow.mjs": "export default { name: 'F', steps: [] };",
    "a.test.js": code,
    "acme.app.mjs": "export default { type: 'app', app: 'acme', methods: { run() {} } };",
    "vitest.config.ts": "export default { run: 1 };",
    "lib.js": "export const run = 1;",
    "node_modules/x/index.js": code,
  });
  const within = (file: string): string => file.slice(folder.path.length + 1);
  expect(findComponentFiles([folder.path]).files.map(within)).toEqual(["a.js", "flow.mjs", "sources/b.ts"]);
  const given = findComponentFiles(["a.js", "a.test.js"].map((name) => `${folder.path}/${name}`));
  expect(given.files.map(within)).toEqual(["a.js"]);
  expect(given.skipped).toMatchObject([{ why: "a test is not a component" }]);
  expect(() => findComponentFiles([`${folder.path}/a.test.js`])).toThrow("a test is not a component");
  expect(() => findComponentFiles([`${folder.path}/node_modules`])).not.toThrow();
});
