import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { debugProcess, here, javascript, lineOf, typescript } from "./debugger.cases.ts";

/** The configuration of VS Code that the docs show. */
interface Launched {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly pauseForSourceMap: boolean;
}

function documentedLaunch(): Launched {
  const docs = readFileSync(new URL("../../../../docs/testing.md", import.meta.url), "utf8");
  const json = /```json\n(\{[^`]*"configurations"[^`]*\})\n```/.exec(docs)?.[1] ?? "";
  return (JSON.parse(json) as { configurations: [Launched] }).configurations[0];
}

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const sourceConditions = `const conditions = ["@x/source"];
export default { resolve: { conditions }, ssr: { resolve: { conditions } }, test: { include: ["*.test.ts"] } };
`;

test("breakpoints that an editor sets in a .ts file bind under vitest, with the documented launch.json", async () => {
  mkdirSync(join(root, "test/.tmp"), { recursive: true });
  const folder = realpathSync(mkdtempSync(join(root, "test/.tmp/debugger-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [entry, twice] = [join(folder, "typed.ts"), join(folder, "twice.ts")];
  const doubled = javascript.replace("(number)", "(number: number): number");
  writeFileSync(entry, typescript.replace(here, "").replace("./twice.mjs", "./twice.ts"));
  writeFileSync(twice, doubled.replace(here, ""));
  writeFileSync(join(folder, "vitest.config.js"), sourceConditions);
  writeFileSync(
    join(folder, "typed.test.ts"),
    `import { source } from "@x/testing/vitest";
import { expect, test } from "vitest";
import typed from "./typed.ts";
test("doubles", async () => {
  const tested = source(typed);
  await tested.deploy();
  await tested.run({ id: 21 });
  expect(tested).toHaveEmitted([{ twice: 42 }]);
});
`,
  );
  const { program, args, env, pauseForSourceMap } = documentedLaunch();
  // Without it an editor may set its breakpoints after the run.
  expect(pauseForSourceMap).toBe(true);
  const given = [program, ...args].map((text) =>
    text.replace("${workspaceFolder}", root).replace("${relativeFile}", "typed.test.ts"),
  );
  // In the place of the attachment to child processes, which an editor does by itself.
  await using debugged = await debugProcess([...given, "--inspect-brk=127.0.0.1:0"], { cwd: folder, env });
  debugged.breakAt([
    { file: entry, line: lineOf(typescript) },
    { file: twice, line: lineOf(doubled) },
  ]);

  const first = await debugged.nextPause();
  expect(first).toMatchObject({ file: entry, line: lineOf(typescript) });
  expect(await debugged.read(first.paused, "item")).toEqual({ id: 21 });
  await debugged.resume();
  const second = await debugged.nextPause();
  expect(second).toMatchObject({ file: twice, line: lineOf(doubled) });
  expect(await debugged.read(second.paused, "[number, result]")).toEqual([21, 42]);
  await debugged.resume();
  const { code, out } = await debugged.end();
  expect(out).toContain("1 passed");
  expect(code).toBe(0);
});
