import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { makeFolder } from "../spawned.cases.ts";

const script = "/usr/bin/script";
const hasTerminals = process.platform === "linux" && existsSync(script);
const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const inbox = `export default { name: "Inbox", version: "1", props: { http: "$.interface.http" },
  run({ method }) { this.$emit({ method }); } };
`;

test.skipIf(!hasTerminals)("in a terminal keys act, pasted text does not, and Ctrl+C ends it with 0", async () => {
  await using folder = await makeFolder({ "inbox.js": inbox });
  const command = `stty cols 200; '${process.execPath}' '${main}' dev inbox.js --port 0`;
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, TERM: "xterm", SHELL: "/bin/sh" };
  const child = spawn(script, ["-qefc", command, "/dev/null"], { cwd: folder.path, env, stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close") as Promise<[number]>;
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const [found] = pattern.exec(out) ?? [];
        if (found === undefined) return;
        child.stdout.off("data", look);
        resolve(found);
      };
      child.stdout.on("data", look);
      look();
      void ended.then(() => reject(new Error(`x ended before it printed ${pattern}:\n${out}`)));
    });
  const endpoint = await printed(/http:\/\/\S+\/in\/[a-z0-9]+/);
  await printed(/quit/);

  child.stdin.write("r");
  await printed(/run ok.* 1 emitted/);
  child.stdin.write("e");
  await printed(/nothing to replay: /);

  child.stdin.write("request = q");
  await fetch(endpoint, { method: "PUT" });
  await printed(/PUT \/.* 200/);
  child.stdin.write("\u0003");
  expect(await ended).toEqual([0, null]);
});
