import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { openTrial } from "../../runtime.cases.ts";

const longest = 256 * 1024;
const deep = `./${`${"n".repeat(250)}/`.repeat(8)}frames.mjs`;
const code = `import { frames } from "${deep}";
export default { name: "t", version: "1", run() {
  console.log(frames());
  console.log({ stack: frames() });
  throw Object.assign(new Error("x"), { stack: frames() });
} }`;
/** One frame is short in the bundle, and as long as the name of its file in a record. */
const framesCode = `export const frames = () => {
  const frame = new Error("x").stack.split("\\n").find((line) => line.includes("bundle.js"));
  return Array(400).fill(frame).join("\\n");
};`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "x-record-"));
  mkdirSync(dirname(join(folder, deep)), { recursive: true });
  writeFileSync(join(folder, deep), framesCode);
  writeFileSync(join(folder, "entry.mjs"), code);
});
afterAll(() => rmSync(folder, { recursive: true }));

it("records with stacks in a file with a long name stay within their limit", async () => {
  const trial = await openTrial();
  const { source } = await trial.runtime.deploy({ file: join(folder, "entry.mjs") });
  const { error } = await trial.runtime.invoke(source.id);
  const records = [...(await trial.payloads(source.id, "$errors")), ...(await trial.payloads(source.id, "$logs"))];
  expect(records).toHaveLength(4);
  expect(JSON.stringify(error).includes(deep.slice(2))).toBe(true);
  for (const record of [error, ...records]) expect(JSON.stringify(record).length).toBeLessThan(longest);
  await trial.runtime.close();
});
