import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { blocksIn } from "./markdown-blocks.ts";

const folder = fileURLToPath(new URL("../packages/sandbox/", import.meta.url));

test("the program in the readme of @x/sandbox prints what stands below it, with the package as it is built", async () => {
  const [program, printed] = blocksIn(readFileSync(`${folder}README.md`, "utf8"));
  expect([program?.info, printed?.info]).toEqual(["ts", "text"]);
  const args = ["--input-type=module", "--eval", program?.text ?? ""];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toBe(printed?.text);
});
