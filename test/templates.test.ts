import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { parseArguments } from "../packages/cli/src/arguments.ts";
import { createShotEngine, type Shot, shoot } from "../packages/cli/src/one-shot.ts";
import { readShot, runCommand } from "../packages/cli/src/run.ts";
import { runHere } from "../packages/cli/src/run-here.cases.ts";
import { spawnX } from "../packages/cli/src/spawned.cases.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const templates = ["timer", "http", "polling", "webhook", "app", "action"];
const projects = templates.flatMap((template) =>
  (["js", "ts"] as const).map((language) => {
    const name = `${template}-${language}`;
    return { template, language, name, file: `${name}/${name}.${language}` };
  }),
);

/** The words of a command line, as a shell reads those of the templates. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

describe("templates", () => {
  let folder = "";
  let api: Server;

  beforeAll(async () => {
    // Inside the workspace, so that the packages are found.
    await mkdir(join(root, "test/.tmp"), { recursive: true });
    folder = await mkdtemp(join(root, "test/.tmp/templates-"));
    api = createServer((_request, response) => response.end('[{"id":1,"title":"first"}]')).listen(0, "127.0.0.1");
    await once(api, "listening");
    for (const { template, language, name } of projects) {
      const args = ["--template", template, "--dir", join(folder, name), ...(language === "ts" ? ["--ts"] : [])];
      const { code, out } = await runHere(["new", name, ...args]);
      if (code !== 0) throw new Error(`x new ${name} ended with ${code}: ${out}`);
    }
  });

  afterAll(async () => {
    api.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("run as their readmes say", async () => {
    const upstream = ["--upstream", `http://127.0.0.1:${(api.address() as AddressInfo).port}`];
    const first = readShot(parseArguments(runCommand.flags, [join(folder, projects[0]?.file ?? ""), ...upstream]));
    // One engine for all of them; the command starts one each time.
    await using engine = await createShotEngine(first);
    for (const { name } of projects) {
      const manifest = await readFile(join(folder, name, "package.json"), "utf8");
      const { start } = (JSON.parse(manifest) as { scripts: { start: string } }).scripts;
      expect(await readFile(join(folder, name, "README.md"), "utf8")).toContain(`npx ${start}`);
      const [, , file = "", ...args] = shellWords(start);
      const shot = readShot(parseArguments(runCommand.flags, [join(folder, name, file), ...args, ...upstream]));
      const { runs } = await shoot(shot, engine, (done): Shot => done);
      expect([name, ...runs.map(({ status }) => status)]).toEqual([name, ...runs.map(() => "ok")]);
      expect(runs.flatMap(({ emitted, logs }) => [...emitted, ...logs]).length, name).toBeGreaterThan(0);
    }
  });

  it("have nothing that the linter objects to", async () => {
    const files = projects.map(({ file }) => join(folder, file));
    const { code, out } = await runHere(["lint", "--strict", ...files]);
    expect([code, out]).toEqual([0, expect.stringMatching(/\n?12 checked: errors 0, warnings 0/)]);
  });

  it("are served while they are written", async () => {
    const props = ["token=secret", "url=https://api.example.com/items", "list=inbox", "text=hello"];
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
    const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--reporter=json", `--outputFile=${report}`];
    const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, HOME, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
    // Which tests fail is in the report.
    await promisify(execFile)(process.execPath, vitest, { cwd: folder, env }).catch(() => undefined);
    const { testResults } = JSON.parse(await readFile(report, "utf8")) as {
      testResults: { name: string; status: string; message: string }[];
    };
    expect(testResults.filter(({ status }) => status !== "passed")).toEqual([]);
    expect(testResults).toHaveLength(projects.length);
  });

  it("in TypeScript satisfy the compiler with their own settings", async () => {
    const typed = projects.filter(({ language }) => language === "ts");
    const { compilerOptions } = JSON.parse(
      await readFile(join(folder, typed[0]?.name ?? "", "tsconfig.json"), "utf8"),
    ) as { compilerOptions: object };
    const config = {
      compilerOptions: { ...compilerOptions, customConditions: ["@x/source"] },
      include: typed.map(({ name }) => `${name}/*.ts`),
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(root, "node_modules/.bin/tsc");
    const { stdout } = await promisify(execFile)(compiler, ["-p", folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });
});
