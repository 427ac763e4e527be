import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { runCommandLine } from "@x/cli";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const templates = ["timer", "http", "polling", "webhook", "app", "action"];
const languages = ["js", "ts"];
const projects = templates.flatMap((template) =>
  languages.map((language) => ({ template, language, name: `${template}-${language}` })),
);
const slowMs = 60_000;

/** Runs x in this process; resolves with the exit code and what it printed. */
async function runX(...args: string[]): Promise<{ code: number; out: string }> {
  const lines: unknown[] = [];
  const printing = vi.spyOn(console, "log").mockImplementation((line) => lines.push(line));
  try {
    return { code: await runCommandLine(args), out: lines.join("\n") };
  } finally {
    printing.mockRestore();
  }
}

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
      const { code, out } = await runX("new", name, ...args);
      if (code !== 0) throw new Error(`x new ${name} ended with ${code}: ${out}`);
    }
  }, slowMs);

  afterAll(async () => {
    api.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(projects)("$name runs as its readme says", async ({ name }) => {
    const manifest = JSON.parse(await readFile(join(folder, name, "package.json"), "utf8")) as {
      scripts: { start: string };
    };
    expect(await readFile(join(folder, name, "README.md"), "utf8")).toContain(`npx ${manifest.scripts.start}`);
    const [, , file = "", ...args] = shellWords(manifest.scripts.start);
    const { port } = api.address() as AddressInfo;
    const upstream = ["--upstream", `http://127.0.0.1:${port}`];
    const { code, out } = await runX("run", join(folder, name, file), ...args, ...upstream, "--json");
    const { runs } = JSON.parse(out) as { runs: { status: string; emitted: unknown[]; logs: unknown[] }[] };
    expect([code, runs.map(({ status }) => status)]).toEqual([0, runs.map(() => "ok")]);
    expect(runs.flatMap(({ emitted, logs }) => [...emitted, ...logs]).length).toBeGreaterThan(0);
  });

  it(
    "have tests that pass",
    async () => {
      const config = `export default {
        resolve: { conditions: ["@x/source"] },
        ssr: { resolve: { conditions: ["@x/source"] } },
        test: { isolate: false, pool: "forks", maxWorkers: 1 },
      };`;
      await writeFile(join(folder, "vitest.config.js"), config);
      const report = join(folder, "report.json");
      const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--reporter=json", `--outputFile=${report}`];
      const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
      // Which tests fail is in the report.
      await promisify(execFile)(process.execPath, vitest, { cwd: folder, env }).catch(() => undefined);
      const { testResults } = JSON.parse(await readFile(report, "utf8")) as {
        testResults: { name: string; status: string; message: string }[];
      };
      expect(testResults.filter(({ status }) => status !== "passed")).toEqual([]);
      expect(testResults).toHaveLength(projects.length);
    },
    slowMs,
  );

  it(
    "in TypeScript satisfy the compiler with their own settings",
    async () => {
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
      const { stdout } = await promisify(execFile)(compiler, ["-p", folder]).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toBe("");
    },
    slowMs,
  );
});
