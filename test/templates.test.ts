import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { parseArguments } from "../packages/cli/src/arguments/arguments.ts";
import { createRunEngine, type SingleRunResult, runOnEngine } from "../packages/cli/src/run/single-run.ts";
import { readRunOptions, runCommand } from "../packages/cli/src/run/run.ts";
import { runHere } from "../packages/cli/src/run-here.cases.ts";
import { spawnX } from "../packages/cli/src/spawned.cases.ts";
import { findPackageManager } from "../packages/cli/src/package-manager.ts";
import { projects, writeProjects } from "./template-projects.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The words of a command line in the templates. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

describe("templates", () => {
  let folder = "";
  let api: Server;

  beforeAll(async () => {
    folder = await writeProjects(root);
    api = createServer((_request, response) => response.end('{"name":"vitest","version":"1.0.0"}')).listen(
      0,
      "127.0.0.1",
    );
    await once(api, "listening");
  });

  afterAll(async () => {
    api.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("run as their readmes describe", async () => {
    const upstream = ["--upstream", `http://127.0.0.1:${(api.address() as AddressInfo).port}`];
    const first = readRunOptions(
      parseArguments(runCommand.flags, [join(folder, projects[0]?.file ?? ""), ...upstream]),
    );
    // One engine for all of them; the command of a user starts its own.
    await using engine = await createRunEngine(first);
    for (const { name } of projects) {
      const manifest = await readFile(join(folder, name, "package.json"), "utf8");
      const { start } = (JSON.parse(manifest) as { scripts: { start: string } }).scripts;
      expect(await readFile(join(folder, name, "README.md"), "utf8")).toContain(
        start.replace("x ", `${findPackageManager().x} `),
      );
      const [, , file = "", ...args] = shellWords(start);
      const shot = readRunOptions(parseArguments(runCommand.flags, [join(folder, name, file), ...args, ...upstream]));
      const { runs } = await runOnEngine(shot, engine, (done): SingleRunResult => done);
      expect([name, ...runs.map(({ status }) => status)]).toEqual([name, ...runs.map(() => "ok")]);
      expect(runs.flatMap(({ emitted, logs }) => [...emitted, ...logs]).length, name).toBeGreaterThan(0);
    }
  });

  it("have no findings of the linter", async () => {
    const files = projects.map(({ file }) => join(folder, file));
    const { code, out } = await runHere(["lint", "--strict", ...files]);
    expect([code, out]).toEqual([0, "14 checked: errors 0, warnings 0, hints 0\n"]);
  });

  it("are served while they are written", async () => {
    const props = ["secret=my-secret", "package=vitest", "text=hello"];
    const given = props.flatMap((pair) => ["--props", pair]);
    const args = ["dev", ...projects.map(({ file }) => file), "--json", "--port", "0", ...given];
    await using dev = spawnX(args, { cwd: folder });
    const [line] = await dev.printed(/^\{"message":"serving".*$/m);
    const { files } = JSON.parse(line) as { files: object[] };
    expect(files).toMatchObject(projects.map(({ file }) => ({ file, change: "new" })));
    dev.child.kill("SIGTERM");
    expect([await dev.exit, dev.err()]).toEqual([0, ""]);
  });

  it("have tests that pass", async () => {
    const config = `export default { test: { isolate: false, pool: "forks", maxWorkers: 1 } };`;
    await writeFile(join(folder, "vitest.config.js"), config);
    const report = join(folder, "report.json");
    const vitest = [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--testTimeout=120000",
      "--reporter=json",
      `--outputFile=${report}`,
    ];
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, HOME, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
    // The report names the failed tests.
    await promisify(execFile)(process.execPath, vitest, { cwd: folder, env }).catch(() => undefined);
    const { testResults } = JSON.parse(await readFile(report, "utf8")) as {
      testResults: { name: string; status: string; message: string }[];
    };
    expect(testResults.filter(({ status }) => status !== "passed")).toEqual([]);
    expect(testResults).toHaveLength(projects.length);
  });
});
