import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const fails = `export default {
  name: "Fails", version: "1", props: { http: "$.interface.http" }, run() { throw new Error("\\u0007".repeat(10_000)); },
};`;

/** The first match in what is printed; it stays open. */
function findIn(stream: NodeJS.ReadableStream | null, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve) => {
    let text = "";
    stream?.on("data", (chunk) => {
      text += String(chunk);
      const match = pattern.exec(text);
      if (match) resolve(match);
    });
  });
}

test("a service whose log is not read answers requests, and ends on a signal", async () => {
  await using folder = await makeFolder({ "fails.js": fails });
  const log = join(folder.path, "log");
  execFileSync("mkfifo", [log]);
  // Open at both ends, and never read: it is full soon.
  const pipe = openSync(log, "r+");
  const args = ["serve", "fails.js", "--port", "0", "--data", "data", "--api-key", "key", "--json-logs"];
  const child = spawn(process.execPath, [main, ...args], { cwd: folder.path, stdio: ["ignore", "pipe", pipe] });
  const ended = once(child, "exit");
  try {
    const [, url = "", id = ""] = await findIn(child.stdout, /"base_url":"([^"]+)".*"id":"(dc_\w+)"/);
    const headers = { authorization: "Bearer key", "content-type": "application/json" };
    for (let n = 0; n < 120; n++) {
      const run = await fetch(`${url}/sources/${id}/run`, { method: "POST", headers, body: "{}" });
      expect(run.status).toBe(200);
      await run.text();
    }
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
    closeSync(pipe);
  }
});
