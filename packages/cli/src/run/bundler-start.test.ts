import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

test("where Node may start no process, x says so, exit 4", async () => {
  await using folder = await makeFolder({ "a.mjs": `export default { name: "A", version: "1", run() {} };` });
  const allowed = ["--permission", "--allow-fs-read=*", "--allow-fs-write=*", "--allow-worker", "--no-warnings"];
  const end = await promisify(execFile)(process.execPath, [...allowed, main, "run", "a.mjs"], {
    cwd: folder.path,
  }).catch((error: unknown) => error);
  expect(end).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /^error\[bundler_unavailable\]: The bundler does not run on this machine: Access to this API has been restricted/,
    ) as string,
  });
});
