import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { debugScript, here, javascript, lineOf, typescript } from "./debugger.cases.ts";

test("breakpoints in TypeScript and JavaScript files pause the run and its deadlines", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "x-debugger-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [entry, twice] = [join(folder, "typed.ts"), join(folder, "twice.mjs")];
  writeFileSync(entry, typescript.replace(here, ""));
  writeFileSync(twice, javascript.replace(here, ""));
  const settings = JSON.stringify({ engine: "node", limits: { runTimeoutMs: 40 } });
  await using debugged = await debugScript(`
    import { source } from "@x/testing";
    const tested = source(${JSON.stringify(entry)}, ${settings});
    await tested.deploy();
    await tested.run({ id: 21 });
    console.log(JSON.stringify(tested.emits.map(({ event }) => event)));
    await tested.close();
  `);
  debugged.breakAt([
    { file: entry, line: lineOf(typescript) },
    { file: twice, line: lineOf(javascript) },
  ]);

  const first = await debugged.nextPause();
  expect(first).toMatchObject({ file: entry, line: lineOf(typescript) });
  expect(await debugged.read(first.paused, "item")).toEqual({ id: 21 });
  // Longer than the time limit of the run.
  await debugged.read(first.paused, "{ const begun = performance.now(); while (performance.now() < begun + 80); }");
  await debugged.resume();

  const second = await debugged.nextPause();
  expect(second).toMatchObject({ file: twice, line: lineOf(javascript) });
  expect(await debugged.read(second.paused, "[number, result]")).toEqual([21, 42]);
  await debugged.resume();

  expect(await debugged.end()).toEqual({ code: 0, out: '[{"twice":42}]\n' });
});
