import { expect, test } from "vitest";

import { checkFile } from "./path.ts";
import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

test("a missing FILE is reported with a similar name; a folder is not a file", async () => {
  await using folder = await makeFolder({ "stars.ts": "", "sub/a.js": "" });
  const refusal = (file: string): string => {
    try {
      checkFile(`${folder.path}/${file}`);
    } catch (error) {
      return String(error).replaceAll(`${folder.path}/`, "");
    }
    return "";
  };
  expect(["stars.ts", "sub/a.js"].map(refusal)).toEqual(["", ""]);
  expect(refusal("stars.js")).toBe("UsageError: There is no file stars.js; did you mean stars.ts?");
  expect(refusal("sub/a")).toMatch(/There is no file sub\/a$/);
  expect([refusal("moons.js"), refusal("no/stars.ts"), refusal("stars.ts/a.js")]).toEqual([
    "UsageError: There is no file moons.js",
    "UsageError: There is no file no/stars.ts",
    "UsageError: There is no file stars.ts/a.js",
  ]);
  expect(refusal("sub")).toBe("UsageError: sub is a folder; give the file of a component");
});

test("every command that takes one FILE refuses a folder before it does anything, exit 2", async () => {
  await using folder = await makeFolder();
  for (const command of ["run", "serve", "publish"]) {
    const ended = await runHere([command, "."], { cwd: folder.path });
    expect([command, ended.code, ended.err.split("\n")[0]]).toEqual([
      command,
      2,
      "error: . is a folder; give the file of a component",
    ]);
  }
});
