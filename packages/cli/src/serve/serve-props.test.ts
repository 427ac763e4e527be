import { join } from "node:path";

import { createRuntime } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { parseProps } from "../arguments/values.ts";
import { makeFolder } from "../spawned.cases.ts";
import { deployFiles } from "./deploy-files.ts";

test("props of the command line are for each file that has them, at every start; one that none has is refused", async () => {
  const code = (name: string, prop: string): string =>
    `export default { name: "${name}", version: "1", props: { ${prop}: { type: "string" } }, run() {} };`;
  await using folder = await makeFolder({ "a.js": code("A", "board"), "b.js": code("B", "list") });
  await using runtime = await createRuntime({ engine: await testEngine() });
  const start = (...pairs: string[]) =>
    deployFiles(
      runtime,
      ["a.js", "b.js"].map((name) => ({ file: join(folder.path, name), offered: parseProps(pairs) })),
    );
  const propsOf = (deployed: Awaited<ReturnType<typeof start>>) => deployed.map(({ view }) => view.configuredProps);
  expect(propsOf(await start("board=1", "list=l1"))).toEqual([{ board: "1" }, { list: "l1" }]);
  expect(propsOf(await start('list:="l2"'))).toEqual([{ board: "1" }, { list: "l2" }]);
  await expect(start("lst=l2")).rejects.toThrow('No component here has a prop "lst"');
});
