import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";

import { version } from "@x/runtime";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { UsageError } from "../errors.ts";
import { findPackageManager } from "../package-manager.ts";
import { askName, askTemplate, findTemplate } from "./ask.ts";
import { projectFiles, tools } from "./project.ts";
import { renderText, titleOf } from "./template.ts";
import { templates } from "./new.ts";
import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const manager = findPackageManager("npm/11.6.0 node/v24.15.0 linux x64 workspaces/false");

// The package manager that runs these tests does not decide.
beforeAll(() => void vi.stubEnv("npm_config_user_agent", undefined));
afterAll(() => void vi.unstubAllEnvs());

test("a text loses its indentation, gets its names, and what is for TypeScript only in TypeScript", () => {
  const text = `
    «import type { A } from "a";

    »export const __NAME__ = "__TITLE__ in __EXT__";

      // kept
  `;
  expect(renderText(text, { name: "a-b", language: "js", manager })).toBe(
    'export const a-b = "A b in js";\n\n  // kept\n',
  );
  expect(renderText(text, { name: "a", language: "ts", manager })).toBe(
    'import type { A } from "a";\n\nexport const a = "A in ts";\n\n  // kept\n',
  );
  expect(titleOf("new-order-2")).toBe("New order 2");
});

test("every template becomes files without marks, in both languages", () => {
  for (const template of templates) {
    for (const language of ["js", "ts"] as const) {
      const files = projectFiles(template, { name: "sample", language, manager }, version);
      expect([...files.keys()]).toEqual(
        expect.arrayContaining([
          `sample.${language}`,
          `sample.test.${language}`,
          "package.json",
          "README.md",
          ".gitignore",
        ]),
      );
      expect(files.get("README.md")).toMatch(
        /^# Sample[^\n]*\n\n(?:An event source that [a-z]+s |A step for workflows\.)/,
      );
      expect(files.has("tsconfig.json")).toBe(language === "ts");
      expect([...files.values()].join("")).not.toMatch(/[«»]|__[A-Z]+__/);
    }
  }
});

test("the readme of every template explains the deploy, with an account when its app needs one", () => {
  for (const template of templates.filter(({ deploys }) => deploys !== undefined)) {
    const files = projectFiles(template, { name: "sample", language: "js", manager }, version);
    const sources = [...files.keys()].filter((name) => name.endsWith(".js") && !name.endsWith(".test.js"));
    const readme = files.get("README.md");
    expect(readme).toContain("npx @x/cli events sample --follow\n");
    const withAccount =
      /accounts add sample [^]*npx @x\/cli deploy sample\.js (?:--props package=vitest )?--account sample=sample/;
    expect(readme).toMatch(sources.length === 1 ? /npx @x\/cli deploy sample\.js/ : withAccount);
    expect(files.get("sample.js")).toContain('key: "sample"');
  }
});

test("a project depends on this release and on the tools that this repository uses", async () => {
  const root = JSON.parse(await readFile(new URL("../../../../package.json", import.meta.url), "utf8")) as {
    devDependencies: { vite: string; vitest: string };
  };
  const { vite, vitest } = root.devDependencies;
  // Of vitest a range: with an exact version, npm cannot install what demands a later one, such as its coverage.
  expect({ ...root.devDependencies, vite: `^${vite}`, vitest: `^${vitest}` }).toMatchObject(tools);
  const [template] = templates;
  if (!template) throw new Error("There is no template.");
  const manifest =
    projectFiles(template, { name: "sample", language: "ts", manager }, version).get("package.json") ?? "";
  expect(JSON.parse(manifest)).toMatchObject({
    name: "sample",
    type: "module",
    dependencies: { "@x/types": version },
    devDependencies: { "@x/cli": version, "@x/testing": version, ...tools },
  });
  const plain = projectFiles(template, { name: "sample", language: "js", manager }, version);
  expect(JSON.parse(plain.get("package.json") ?? "")).not.toHaveProperty("dependencies");
});

test("an answer is a template's name or number, and is asked for until it is", async () => {
  expect([" HTTP", "2", "0", "9", ""].map((answer) => findTemplate(answer, templates)?.name)).toEqual([
    "http",
    "http",
    undefined,
    undefined,
    undefined,
  ]);
  const input = new PassThrough();
  const asked = askTemplate({ input, output: new PassThrough() }, templates);
  input.write("what\n");
  input.write("3\n");
  expect((await asked).name).toBe("polling");
});

test("an invalid name is reported, and asked for again", async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const parse = (name: string): string => {
    if (name === "good") return name;
    throw new UsageError(`not ${name}`);
  };
  const asked = askName({ input, output }, parse);
  input.write("bad\n");
  input.write(" good \n");
  expect(await asked).toBe("good");
  expect(String(output.read())).toContain("not bad\n");
});

test("a terminal that ends gives no answer", async () => {
  const input = new PassThrough();
  const asked = askTemplate({ input, output: new PassThrough() }, templates);
  input.end();
  await expect(asked).rejects.toThrow("No template was chosen");
});

test("x new writes a project once; what is there is replaced with --force only", async () => {
  await using folder = await makeFolder();
  const create = (...args: string[]) =>
    runHere(["new", "sample", "--template", "timer", ...args], { cwd: folder.path });
  const made = await create("--ts", "--json");
  expect(made).toMatchObject({ code: 0, err: "" });
  const { files, next } = JSON.parse(made.out) as { files: string[]; next: string[] };
  expect((await readdir(join(folder.path, "sample"))).sort()).toEqual([...files].sort());
  expect(next).toEqual(["cd sample", "npm install", "npm test", "npx @x/cli dev sample.ts"]);

  const readme = join(folder.path, "sample/README.md");
  await writeFile(readme, "mine");
  const again = await create();
  expect(again).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      "sample already has package.json, README.md, .gitignore, pnpm-workspace.yaml; nothing was written",
    ) as string,
  });
  expect(await readFile(readme, "utf8")).toBe("mine");
  expect(await readdir(join(folder.path, "sample"))).not.toContain("sample.js");
  expect((await create("--force")).code).toBe(0);
  expect(await readFile(readme, "utf8")).toContain("# Sample");
});

test("x new --dir quotes versions that have a meaning for a shell", async () => {
  await using folder = await makeFolder({ "package.json": "{}" });
  const { out } = await runHere(["new", "sample", "--template", "http", "--dir", "."], { cwd: folder.path });
  expect(out).toContain(`@x/testing@${version} 'vite@${tools.vite}' 'vitest@${tools.vitest}'\n`);
});

test("x new --dir adds a component to an existing project, and prints how to install missing packages", async () => {
  const mine = `{"name":"mine","devDependencies":{"@x/cli":"${version}","vitest":"4.0.0"}}`;
  await using folder = await makeFolder({ "package.json": mine });
  const add = (...args: string[]) =>
    runHere(["new", "sample", "--template", "http", "--dir", ".", ...args], { cwd: folder.path });
  const { code, out } = await add("--ts");
  expect([code, out.split("\n")]).toEqual([
    0,
    [
      "Wrote sample.ts, sample.test.ts, tsconfig.json",
      "",
      "Next:",
      `  npm install --save-dev @x/types@${version} @x/testing@${version} typescript@${tools.typescript} @types/node@${tools["@types/node"]}`,
      "  npx @x/cli test",
      "  npx @x/cli dev sample.ts",
      "",
    ],
  ]);
  expect(await readFile(join(folder.path, "package.json"), "utf8")).toBe(mine);
  expect(await add("--ts")).toMatchObject({
    code: 2,
    err: expect.stringContaining("This folder already has sample.ts, sample.test.ts; nothing was written") as string,
  });
  await writeFile(join(folder.path, "package.json"), "{");
  expect(await add()).toMatchObject({ code: 2, err: expect.stringContaining("package.json cannot be read") as string });
});

const isOf = (line: string, commands: readonly string[]): boolean =>
  commands.some((command) => line.startsWith(command));

test("x new speaks the package manager that runs it, in what it prints and in the readme", async () => {
  const agents = [
    ["npm/11.6.0 node/v24.15.0 linux x64 workspaces/false", "npm install", "npm test", "npx @x/cli"],
    ["pnpm/12.21.0 npm/? node/v24.15.0 linux x64", "pnpm install", "pnpm test", "pnpm exec x"],
    ["yarn/1.22.22 npm/? node/v24.15.0 linux x64", "yarn install", "yarn test", "yarn x"],
    ["yarn/4.18.1 npm/? node/v24.15.0 linux x64", "yarn install", "yarn test", "yarn x"],
    ["bun/1.4.5 npm/? node/v24.3.0 linux x64", "bun install", "bun run test", "bun run x"],
    ["other/1.0.0", "npm install", "npm test", "npx @x/cli"],
  ] as const;
  for (const [agent, install, run, x] of agents) {
    await using folder = await makeFolder();
    vi.stubEnv("npm_config_user_agent", agent);
    const args = ["new", "sample", "--template", "app", "--json"];
    const { out } = await runHere(args, { cwd: folder.path });
    const { next } = JSON.parse(out) as { next: string[] };
    expect(next).toEqual(["cd sample", install, run, `${x} dev sample.js --props package=vitest`]);
    const readme = await readFile(join(folder.path, "sample/README.md"), "utf8");
    expect(readme).toContain(["```sh", install, run, `${x} run sample.js --props package=vitest`, "```"].join("\n"));
    expect(
      readme.match(/\b(?:npm|npx|pnpm|yarn|bun)\b[^\n`]*/g)?.filter((line) => !isOf(line, [install, run, x])),
    ).toEqual([
      "npm registry, which needs no credentials for public packages: replace that with your API. A registry in a private network also needs ",
    ]);
    await writeFile(join(folder.path, "package.json"), "{}");
    const added = await runHere(["new", "other", "--template", "timer", "--dir", "."], { cwd: folder.path });
    const add = x === "npx @x/cli" ? "npm install --save-dev" : `${install.split(" ")[0]} add --`;
    expect(added.out).toContain(`\n  ${add}`);
    expect(added.out.includes("--allow-build=esbuild @x/cli@")).toBe(agent.startsWith("pnpm"));
    expect(added.out).toContain(`\n  ${x} test\n  ${x} dev other.js\n`);
  }
  vi.stubEnv("npm_config_user_agent", undefined);
});

test("a project has what package managers ask for: vite beside vitest, and an answer for the script of esbuild", async () => {
  await using folder = await makeFolder();
  const create = (...args: string[]) =>
    runHere(["new", "sample", "--template", "timer", ...args], { cwd: folder.path });
  await create();
  const manifest = await readFile(join(folder.path, "sample/package.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({
    devDependencies: { vite: tools.vite, vitest: tools.vitest },
    allowScripts: { esbuild: false },
  });
  const settings = await readFile(join(folder.path, "sample/pnpm-workspace.yaml"), "utf8");
  expect(settings).toMatch(/^allowBuilds:\n {2}esbuild: false$/m);
  // A member of a workspace is none of its own.
  await writeFile(join(folder.path, "pnpm-workspace.yaml"), "packages: ['apps/*']\n");
  const { out } = await create("--dir", "apps/sample", "--json");
  expect(JSON.parse(out)).toMatchObject({ files: expect.not.arrayContaining(["pnpm-workspace.yaml"]) as string[] });
  expect(await readdir(join(folder.path, "apps/sample"))).not.toContain("pnpm-workspace.yaml");
});

test("a wrong command line is reported, exit 2, also without a terminal", async () => {
  await using folder = await makeFolder();
  const ended = async (...args: string[]) => runHere(["new", ...args], { cwd: folder.path });
  const wrong = [
    [["Sample", "--template", "timer"], "NAME must be 1 to 64 lower-case letters, digits and single dashes"],
    [["../up", "--template", "timer"], 'got "../up"; such as up'],
    [["Größe newOrders!", "--template", "timer"], "; such as gro-e-new-orders"],
    [["123", "--template", "timer"], 'a letter first, got "123"\n'],
    [[], "Which NAME?"],
    [["sample", "other"], 'One NAME at a time; "other" is one too many\n'],
    [
      ["sample", "timer"],
      '"timer" is one too many; npm passes on only the flags after --, as in npm create @x NAME -- --',
    ],
    [["sample"], "Which template? Give --template timer|http|polling|webhook|verified|app|app-events|action"],
    [["sample", "--template", "tiemr"], 'There is no template "tiemr"; did you mean timer?'],
  ] as const;
  for (const [args, message] of wrong) {
    const { code, err } = await ended(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  }
  expect(await readdir(folder.path)).toEqual([]);
});

test("what a template asks first is the npm registry as it is configured, without credentials", () => {
  const ask = (registry?: string): string | undefined => {
    const [, , polling] = templates;
    return (
      polling && projectFiles(polling, { name: "sample", language: "js", registry, manager }, version).get("sample.js")
    )?.match(/`(.*)\/\$\{this\.package\}\/latest`/)?.[1];
  };
  expect(ask()).toBe("http://localhost:4873");
  expect(ask("https://me:secret@npm.acme.test/all/")).toBe("https://npm.acme.test/all");
  expect(ask("none")).toBe("http://localhost:4873");
});

test("nothing that a template asks is a host that there is not, but in its own tests", () => {
  const asked = templates.flatMap((template) =>
    [...projectFiles(template, { name: "sample", language: "ts", manager }, version)]
      .filter(([name, text]) => !name.includes(".test.") && text.includes("example.com"))
      .map(([name]) => `${template.name}: ${name}`),
  );
  expect(asked).toEqual([]);
});
