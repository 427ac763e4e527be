import { execFileSync } from "node:child_process";

import { expect, it } from "vitest";

const entry = new URL("index.ts", import.meta.url).href;

it("loading the runtime does not load undici, which takes longer than all of its own code", () => {
  const script = `await import(${JSON.stringify(entry)});
  console.log(process.moduleLoadList.filter((name) => name.includes("undici/undici")).length);`;
  const args = ["--conditions=@x/source", "--no-warnings", "--input-type=module", "--eval", script];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe("0\n");
});
