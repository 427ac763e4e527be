import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { version } from "@x/runtime";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { namedPackages, neededFolders, startLoopbackRegistry } from "./loopback-registry.ts";
import { given, packAll, repository } from "./packed/tarballs.ts";
import { writeTypedProjects } from "./template-projects.ts";
import { writeTypedPages } from "./typed-pages.ts";

const names = [
  "types",
  "client",
  "sandbox",
  "runtime",
  "testing",
  "inspector",
  "server",
  "postgres",
  "cli",
  "create",
] as const;
/** Required files of each package, besides its manifest, readme and licence. */
const needed = {
  types: ["dist/index.js", "dist/index.d.ts"],
  client: ["dist/index.js", "dist/index.d.ts"],
  sandbox: [
    "dist/bundled/index.js",
    "dist/types/sandbox/code-sandbox.d.ts",
    "dist/guest-prelude.json",
    "dist/base-image.bin",
    "dist/engine.wasm",
    "dist/THIRD-PARTY-LICENSES.txt",
    "dist/threads/sandbox.mjs",
  ],
  runtime: [
    "dist/bundled/index.js",
    "dist/types/runtime/index.d.ts",
    "dist/guest-prelude.json",
    "dist/base-image.bin",
    "dist/engine.wasm",
    "dist/THIRD-PARTY-LICENSES.txt",
    "dist/threads/sandbox.mjs",
    "dist/threads/store-writer.mjs",
    "dist/threads/store-checkpoints.mjs",
    "dist/threads/bundler.mjs",
    "dist/threads/packages.mjs",
    "dist/threads/validator.cjs",
  ],
  testing: ["dist/index.js", "dist/index.d.ts", "dist/vitest.js", "dist/vitest.d.ts"],
  inspector: [
    "dist/index.js",
    "dist/index.d.ts",
    "dist/files.json",
    "dist/static/index.html",
    "dist/THIRD-PARTY-LICENSES.txt",
  ],
  server: ["dist/index.js", "dist/types/server/index.d.ts", "dist/reference.js"],
  postgres: ["dist/index.js", "dist/index.d.ts"],
  cli: ["dist/main.js"],
  create: ["dist/main.js"],
};
/** The largest size of each packed package, in kB: about a tenth above what it was. */
const budgets = {
  types: 24,
  client: 30,
  sandbox: 900,
  runtime: 2_040,
  testing: 53,
  inspector: 780,
  server: 117,
  postgres: 57,
  cli: 205,
  create: 3,
};
/** What may be installed beside the packages: licences that ask for nothing but their text. */
const permissive = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "0BSD"]);

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = names.map((name) => join(root, "packages", name));
const isOwn = (name: string): boolean => name.startsWith("@x/");

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; resolves also when it fails. */
async function run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  // Conditions and loaders of the test process must not affect the process of a user.
  const { NODE_OPTIONS: _, NODE_PATH: __, ...env } = process.env;
  try {
    return { code: 0, ...(await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })) };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === "number" ? code : -1, stdout, stderr: stderr || String(error) };
  }
}

async function mustRun(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, cwd);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** The bytes of a package's own files. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter((file) => !file.slice(folder.length).includes("/node_modules/"));
  return (await Promise.all(own.map(async (file) => (await stat(file)).size))).reduce((sum, size) => sum + size, 0);
}

/** Problems of resolutions that no supported Node and no compiler for one has. */
const isOfOtherResolutions = (problem: object): boolean =>
  "resolutionKind" in problem && (problem.resolutionKind === "node10" || problem.resolutionKind === "node16-cjs");

const component = `
export default {
  name: "Greeter",
  version: "1.0.0",
  props: { db: "$.service.db" },
  run(event) {
    this.db.set("seen", (this.db.get("seen") ?? 0) + 1);
    this.$emit({ hello: event.who, seen: this.db.get("seen") }, { summary: "hello" });
  },
};
`;

const consumer = `
import { readFileSync } from "node:fs";
import { createRuntime } from "@x/runtime";
import { createApp } from "@x/server";
import { source as underTest } from "@x/testing";
import { defineComponent } from "@x/types";
import greeter from "./greeter.mjs";

await using trial = underTest(greeter);
await trial.deploy();
await trial.run({ who: "test" });
const runtime = await createRuntime({ data: "data" });
await runtime.start();
const { source } = await runtime.deploy({ code: readFileSync("greeter.mjs", "utf8") });
const first = await runtime.invoke(source.id, { event: { who: "you" } });
const second = await runtime.invoke(source.id, { event: { who: "you" } });
const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
const { apiKey } = (await runtime.user()).user;
const app = createApp(runtime);
const headers = { authorization: "Bearer " + apiKey };
const answer = await app.fetch(new Request("http://127.0.0.1/v1/users/me/sources/", { headers }));
await runtime.close();
console.log(JSON.stringify({
  statuses: [first.status, second.status],
  payloads: items.map(({ payload }) => JSON.parse(payload)),
  http: answer.status,
  tested: trial.emits.map(({ event }) => event),
  defined: defineComponent({ name: "a", version: "1", run() {} }).name,
}));
`;

const typed = `
import { createRuntime, type Execution, XError } from "@x/runtime";
import { createApp, listen } from "@x/server";
import { source } from "@x/testing";
import { defineComponent } from "@x/types";

export const component = defineComponent({
  name: "typed",
  version: "1.0.0",
  emits: {} as { url: string; at: number },
  props: { url: { type: "string" }, timer: "$.interface.timer" },
  async run(event) {
    const url: string = this.url;
    this.$emit({ url, at: event.timestamp });
  },
});
const runtime = await createRuntime({ limits: { runTimeoutMs: 1_000 } });
export const execution: Execution = await runtime.invoke("dc_none");
export const code = (error: unknown): string => (XError.is(error) ? error.code : "");
await listen(createApp(runtime), { port: 0 });
export const trial = source<typeof component>({ code: "" }, { props: { url: "https://a.test" } });
export const at: number | undefined = source(component, { props: { url: "https://a.test" } }).emits[0]?.event.at;
// @ts-expect-error limits are numbers
await createRuntime({ limits: { runTimeoutMs: "1s" } });
`;

const compilerOptions = {
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};

describe("published packages", () => {
  let folder = "";
  let installed: Ended = { code: -1, stdout: "", stderr: "not tried" };
  /** The scope is a part of the name. */
  const tarball = (name: string): string => globSync(join(folder, "tarballs", `*-${name}-${version}.tgz`))[0] ?? name;
  const app = (): string => join(folder, "app");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "x-packages-"));
    await mkdir(app());
    await packAll(root, join(folder, "tarballs"));

    await writeFile(join(app(), "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
    await writeFile(join(app(), "greeter.mjs"), component);
    const others = namedPackages(sources, isOwn);
    await using registry = await startLoopbackRegistry(others);
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const place = ["--registry", registry.url, "--cache", join(folder, "npm-cache")];
    installed = await run("npm", ["install", ...quiet, ...place, ...names.map((name) => tarball(name))], app());
    // Only the dependencies in the manifests are installed, no other packages of the workspace.
    for (const [name, place] of installed.code === 0 ? others : []) {
      await rm(join(app(), "node_modules", name), { recursive: true });
      await symlink(place, join(app(), "node_modules", name));
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(names)("@x/%s contains the required files and no others", async (name) => {
    const files = (await mustRun("tar", ["-tzf", tarball(name)], root)).trim().split("\n");
    const wanted = ["package.json", "README.md", "LICENSE", ...needed[name]].map((file) => `package/${file}`);
    expect(files).toEqual(expect.arrayContaining(wanted));
    const page = /^package\/dist\/(?:files\.json|static\/[\w/-]+\.(?:html|(?:css|js)(?:\.br|\.gz)?))$/;
    const strange = files.filter(
      (file) =>
        !(name === "inspector" && page.test(file)) &&
        !/^package\/(?:package\.json|README\.md|LICENSE|dist\/base-image\.bin|dist\/engine\.wasm|dist\/guest-(?:parts|prelude)\.json|dist\/THIRD-PARTY-LICENSES\.txt|dist\/threads\/[\w-]+\.[mc]js|dist\/[\w/-]+(?:\.js|\.d\.ts))$/.test(
          file,
        ),
    );
    expect(strange).toEqual([]);

    const manifest = await mustRun("tar", ["-xzOf", tarball(name), "package/package.json"], root);
    expect(manifest).not.toMatch(/workspace:|@x\/source/);
    expect(manifest).not.toMatch(/"(?:pre|post)?install"/);
    const directory = `packages/${name}`;
    // The tarballs of a release name the repository that they come from, if it has an address.
    const packed = given === undefined ? { repository: { type: "git", url: `git+${repository}`, directory } } : {};
    expect(JSON.parse(manifest)).toMatchObject(packed);
    // A Keyv is given: a version of it or of an adapter here would refuse others.
    expect(Object.keys((JSON.parse(manifest) as { peerDependencies?: object }).peerDependencies ?? {})).not.toContain(
      "@keyv/sqlite",
    );
  });

  it.each(names)("@x/%s has a manifest that publint accepts", async (name) => {
    const data = await readFile(tarball(name));
    const { messages, pkg } = await publint({
      pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.each(names.filter((name) => name !== "create"))(
    "@x/%s has types that agree with what Node loads",
    async (name) => {
      const checked = await checkPackage(createPackageFromTarballData(await readFile(tarball(name))));
      // The packages are ES modules, which every supported Node loads with require(), too; older resolutions do not apply.
      const problems =
        checked.types === false ? [] : checked.problems.filter((problem) => !isOfOtherResolutions(problem));
      expect(problems).toEqual([]);
      expect(checked.types).not.toBe(false);
    },
  );

  it("stay within their sizes", async () => {
    const sizes = await Promise.all(names.map(async (name) => [name, (await stat(tarball(name))).size] as const));
    expect(sizes.filter(([name, size]) => size > budgets[name] * 1_000)).toEqual([]);
  });

  it("have licences that ask for nothing but their text, and so has what they install", async () => {
    const folders = [...sources, ...neededFolders(sources, isOwn)];
    const licences = await Promise.all(
      folders.map(async (place) => {
        const { name, license } = JSON.parse(await readFile(join(place, "package.json"), "utf8")) as {
          name: string;
          license?: string;
        };
        return [name, license ?? "none"] as const;
      }),
    );
    expect(licences.filter(([, licence]) => !permissive.has(licence))).toEqual([]);
    expect(licences.length).toBeGreaterThan(30);
  });

  it("have declarations that the TypeScript of the readmes and the pages fits", async () => {
    const pages = await writeTypedPages(root);
    expect(pages.files.length).toBeGreaterThan(10);
    const compiled = await run(join(root, "node_modules/.bin/tsc"), ["-p", pages.folder], root);
    await rm(pages.folder, { recursive: true });
    expect(compiled).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("have declarations that the templates in TypeScript fit, with their own settings", async () => {
    const templates = await writeTypedProjects(root);
    const compiled = await run(join(root, "node_modules/.bin/tsc"), ["-p", templates], root);
    await rm(templates, { recursive: true });
    expect(compiled).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  describe("installed from their tarballs in an empty folder", () => {
    const needInstall = (): void => expect(installed).toMatchObject({ code: 0 });

    it("bring one copy of each package and compile nothing", async () => {
      needInstall();
      expect((await readdir(join(app(), "node_modules/@x"))).sort()).toEqual([...names].sort());
      expect((await readdir(app(), { recursive: true })).filter((file) => /@x\/.*@x\//.test(file))).toEqual([]);
      const folders = [join(app(), "node_modules/@x"), ...neededFolders(sources, isOwn)];
      expect(folders.length).toBeGreaterThan(20);
      const files = await Promise.all(folders.map((each) => readdir(each, { recursive: true })));
      expect(files.flat().filter((file) => file.endsWith("binding.gyp"))).toEqual([]);
    });

    it("bring little for tests alone: @x/testing is at most 40 packages and 25 MB", async () => {
      needInstall();
      const own = ["types", "runtime", "testing"];
      const places = own.map((name) => join(app(), "node_modules/@x", name));
      const folders = [
        ...places,
        ...neededFolders(
          own.map((name) => join(root, "packages", name)),
          isOwn,
        ),
      ];
      const bytes = await Promise.all(folders.map(sizeOf));
      expect(folders.length).toBeLessThanOrEqual(40);
      expect(folders.length).toBeGreaterThan(own.length);
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(25_000_000);
    });

    it("run as ES modules: a component is deployed, run twice and read back", async () => {
      needInstall();
      await writeFile(join(app(), "consumer.mjs"), consumer);
      expect(JSON.parse(await mustRun(process.execPath, ["consumer.mjs"], app()))).toEqual({
        statuses: ["ok", "ok"],
        payloads: [
          { hello: "you", seen: 2 },
          { hello: "you", seen: 1 },
        ],
        http: 200,
        tested: [{ hello: "test", seen: 1 }],
        defined: "a",
      });
    });

    it("load with require() from CommonJS", async () => {
      needInstall();
      const script = `for (const name of ["types", "runtime", "testing", "server"]) console.log(Object.keys(require("@x/" + name)).length > 0)`;
      await writeFile(join(app(), "consumer.cjs"), script);
      expect(await mustRun(process.execPath, ["consumer.cjs"], app())).toBe("true\n".repeat(4));
    });

    it("have declarations that a strict compiler accepts", async () => {
      needInstall();
      await writeFile(join(app(), "typed.mts"), typed);
      await writeFile(join(app(), "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.mts"] }));
      expect(await run(join(root, "node_modules/.bin/tsc"), ["-p", "."], app())).toMatchObject({
        code: 0,
        stdout: "",
      });
    });

    it("run a component file with the command x", async () => {
      needInstall();
      const command = join(app(), "node_modules/.bin/x");
      const shot = await run(command, ["run", "greeter.mjs", "--event", '{"who":"shell"}', "--json"], app());
      expect(shot).toMatchObject({ code: 0 });
      expect(shot.stdout).toContain('"shell"');
    });
  });
});
