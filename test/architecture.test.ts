import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { compositionRoot, rooms } from "./rooms.ts";

/** What each package may import from the workspace. */
const packages: { readonly [name: string]: readonly string[] } = {
  types: [],
  runtime: ["types"],
  testing: ["types", "runtime"],
  inspector: [],
  server: ["runtime", "inspector"],
  postgres: ["runtime"],
  cli: ["server", "testing", "runtime", "postgres"],
};

/** Files that may import types from files that import them. */
const circleExceptions: { readonly [path: string]: string } = {
  "packages/runtime/src/guest/parts.ts":
    "parts are code that is loaded by name at its first use, made with the prelude's kit, which has parts itself",
};

/** The only places that may import a library. */
const fences: { readonly [library: string]: readonly string[] } = {
  "quickjs-emscripten": ["packages/runtime/src/sandbox/"],
  // Its packages' licences are published with what it bundles.
  esbuild: ["packages/runtime/src/components/", "scripts/bundles.mjs"],
  acorn: ["packages/runtime/src/components/", "packages/cli/src/lint/"],
  ajv: ["packages/runtime/src/components/", "packages/server/"],
  keyv: ["packages/runtime/src/store/"],
  "@keyv/sqlite": ["packages/runtime/src/store/"],
  "node:sqlite": ["packages/runtime/src/store/"],
  // The command line uses it for the garbage collector only.
  "node:vm": ["packages/runtime/src/sandbox/", "packages/cli/src/serve/grown-heap.ts"],
  "node:inspector": ["packages/runtime/src/sandbox/", "packages/testing/src/imported/", "packages/cli/"],
  "node-cron": ["packages/runtime/src/model/cron.ts"],
  croner: ["packages/runtime/src/model/cron.ts"],
  undici: ["packages/runtime/src/network/"],
  "@npmcli/arborist": ["packages/runtime/src/packages/"],
  "@npmcli/config": ["packages/runtime/src/packages/"],
  pacote: ["packages/runtime/src/packages/"],
  tar: ["packages/runtime/src/packages/"],
  "enhanced-resolve": ["packages/runtime/src/components/"],
  semver: ["packages/runtime/src/packages/version-range.ts"],
  oauth4webapi: ["packages/runtime/src/oauth/protocol.ts"],
  "ipaddr.js": ["packages/runtime/src/network/"],
  "@jridgewell/trace-mapping": ["packages/runtime/src/components/"],
  "lru-cache": ["packages/runtime/"],
  "core-js-pure": ["packages/runtime/src/guest/parts/"],
  "urlpattern-polyfill": ["packages/runtime/src/guest/parts/"],
  assert: ["packages/runtime/src/guest/"],
  events: ["packages/runtime/src/guest/"],
  "node-inspect-extracted": ["packages/runtime/src/guest/"],
  "path-browserify": ["packages/runtime/src/guest/"],
  "readable-stream": ["packages/runtime/src/guest/"],
  string_decoder: ["packages/runtime/src/guest/"],
  unenv: ["packages/runtime/src/guest/"],
  "web-streams-polyfill": ["packages/runtime/src/guest/parts/"],
  preact: ["packages/inspector/src/page/"],
  "@preact/signals": ["packages/inspector/src/page/"],
  "@codemirror": ["packages/inspector/src/page/ui/editor.ts"],
  "@lezer": ["packages/inspector/src/page/ui/editor.ts"],
  uplot: ["packages/inspector/src/page/"],
  vite: ["scripts/build-inspector.mjs"],
  "playwright-core": ["test/inspector/"],
  "axe-core": ["test/inspector/"],
  "@opentelemetry/api": ["packages/runtime/src/observe/tracing.ts"],
  pg: ["packages/postgres/"],
  // Loaded when a store on PostgreSQL is asked for, and only then.
  "@x/postgres": ["packages/cli/src/serve/open-store.ts"],
  hono: ["packages/server/"],
  "@hono/node-server": ["packages/server/"],
};

/** Real time, randomness and environment stay out of the rules, so that tests can control them. Exceptions have a reason. */
const ambient = /\b(?:Date\.now|setTimeout|setInterval|Math\.random|process\.env)\b/;
const ambientAllowed: { readonly [path: string]: string } = {
  "packages/runtime/src/process/clock.ts": "is the clock",
  "packages/runtime/src/process/thread-watch.ts": "a thread is held in real time",
  "packages/runtime/src/components/author/hint.ts": "names what components do not have",
  "packages/runtime/src/guest/": "provides these names inside the sandbox",
  "packages/runtime/src/packages/cache/cache-limit.ts": "the times of files are real ones",
  "packages/runtime/src/sandbox/thread/call-timers.ts":
    "timers of components take real time, unless their clock skips it, and so do deadlines",
  "packages/runtime/src/sandbox/thread/call-effects.ts": "emits and logs have the time of their call",
  "packages/runtime/src/sandbox/pool/watchdog.ts": "deadlines hold in real time whatever the clock says",
  "packages/runtime/src/process/guarded-process.ts": "stops a process that takes too long",
  "packages/runtime/src/packages/cache/cache-folder.ts": "finds the user's cache folder",
  "packages/runtime/src/packages/install-pool.ts": "ends idle processes",
  "packages/runtime/src/packages/npm/npm-options.ts": "npm is configured by its environment",
  "packages/runtime/src/components/bundle/build.ts": "replaces process.env.NODE_ENV in the code of components",
  "packages/testing/src/cassette/cassette.ts": "reads the recording mode from the environment",
  "packages/testing/src/engine/engine.ts": "reads the engine from the environment",
  "packages/testing/src/real-timers.ts": "detects fake timers in a test",
  "packages/cli/src/environment.ts": "reads the environment for all commands",
  "packages/cli/src/serve/grown-heap.ts": "what a heap holds changes in real time",
  "packages/cli/src/serve/serve.ts": "says where a manual clock begins",
  "packages/cli/src/serve/service.ts": "shares the time to drain between server and runtime",
  "packages/cli/src/crash.ts": "bounds how long a process goes on that nothing is known of",
  "packages/cli/src/main.ts": "limits how long the output of a service may stay unread",
  "packages/inspector/src/page/": "runs in browsers, beside people",
  "packages/server/src/held-refusals.ts": "delays refusals of clients that repeat them at once",
  "packages/server/src/node.ts": "bounds how long open connections delay the end",
  "packages/server/src/send.ts": "disconnects clients that do not read their answers",
  "packages/server/src/unread-request.ts": "bounds how long the rest of a refused request is waited for",
};

/** Libraries and built-ins that do not reach out of the process. All others have effects. */
const effectFree =
  /^(?:node:(?:buffer|crypto|module|path|url|util)|acorn|ajv|croner|lru-cache|node-cron|semver|ipaddr\.js|@jridgewell\/trace-mapping)$/;

/** Files whose effects do not count for their importers. All rooms may import `process`, but its effects count. */
const harmless: { readonly [path: string]: string } = {
  "packages/runtime/src/process/clock.ts": "code takes a clock, and tests control it",
  "packages/runtime/src/process/slices.ts": "only yields the thread",
  "packages/runtime/src/components/author/hint.ts": "names setTimeout and process.env, and uses neither",
};

const bannedNames = /^(?:utils?|helpers?|common|shared|misc|lib|types\.ts)$/;
const longestFile = 400;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = globSync("{packages,scripts,test,bench}/**/*.{ts,tsx,mjs}", {
  cwd: root,
  exclude: ["**/node_modules", "**/dist"],
})
  .toSorted()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
const product = sources.filter(
  ({ path }) => /^(?:packages|scripts)\//.test(path) && !/\.(?:test|test-d|cases)\.tsx?$/.test(path),
);

function importsOf(from: string, text: string): Import[] {
  const static_ = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[\w$*{},\s]*?\sfrom\s+)?["']([^"']+)["']/gm);
  const dynamic = text.matchAll(/\bimport\(\s*()["']([^"']+)["']/g);
  return [...static_, ...dynamic].map(([, type, specifier = ""]) => ({
    from,
    to: specifier.startsWith(".") ? relative(root, join(root, dirname(from), specifier)) : specifier,
    typeOnly: type !== undefined && type !== "",
  }));
}
const imports = product.flatMap(({ path, text }) => importsOf(path, text));
const show = ({ from, to, typeOnly }: Import): string => `${from} -> ${to}${typeOnly ? " (type)" : ""}`;
const packageOf = (path: string): string | undefined =>
  /^packages\/([^/]+)\//.exec(path)?.[1] ?? /^@x\/([^/]+)/.exec(path)?.[1];

/** The imports in circles: removes imports of files without imports, and from files without importers, until none is left. */
function circlesOf(given: readonly Import[]): readonly Import[] {
  const [importers, imported] = [new Set(given.map(({ from }) => from)), new Set(given.map(({ to }) => to))];
  const rest = given.filter(({ from, to }) => importers.has(to) && imported.has(from));
  return rest.length === given.length ? rest : circlesOf(rest);
}

const isPartOf = (specifier: string, library: string): boolean =>
  specifier === library || specifier.startsWith(`${library}/`);

const inRuntime = "packages/runtime/src/";
/** The room of a file, or its own name when it is in no room. */
const roomOf = (path: string): string => {
  const [head = "", ...rest] = path.slice(inRuntime.length).split("/");
  return rest.length > 0 ? head : basename(head, ".ts");
};
const inside = imports
  .filter(({ from, to }) => from.startsWith(inRuntime) && to.startsWith(inRuntime))
  .filter(({ to, typeOnly }) => !(typeOnly && basename(to) === "contract.ts"))
  .map((known) => ({ known, from: roomOf(known.from), to: roomOf(known.to), typeOnly: known.typeOnly }))
  .filter(({ from, to }) => from !== to);

/** The files of the runtime with effects, their own or those of their imports, without harmless ones. */
function findEffects(): ReadonlySet<string> {
  const values = imports.filter(({ from, typeOnly }) => from.startsWith(inRuntime) && !typeOnly);
  const found = new Set([
    ...values.filter(({ to }) => !to.startsWith(inRuntime) && !effectFree.test(to)).map(({ from }) => from),
    ...product.filter(({ path, text }) => path.startsWith(inRuntime) && ambient.test(text)).map(({ path }) => path),
  ]);
  for (let known = -1; known < found.size;) {
    known = found.size;
    for (const { from, to } of values) if (found.has(to) && !(to in harmless)) found.add(from);
  }
  return found;
}

describe("architecture", () => {
  it("finds the files and imports", () => {
    expect(imports.length).toBeGreaterThan(300);
    expect(
      Object.keys(fences).filter((library) => imports.some(({ to }) => isPartOf(to, library))).length,
    ).toBeGreaterThan(10);
  });

  it("keeps the direction between packages", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [importer, imported] = [packageOf(from), packageOf(to)];
      if (importer === undefined || imported === undefined || importer === imported) return false;
      return to.startsWith("packages/") || !packages[importer]?.includes(imported);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it("lets pages in browsers import browser libraries alone, and nothing else import them", () => {
    const inPage = (path: string): boolean => path.startsWith("packages/inspector/src/page/");
    const ofBrowsers = /^(?:preact|@preact\/signals|@codemirror|@lezer|uplot)(?:\/|$)/;
    const wrong = imports.filter(({ from, to }) =>
      inPage(from) ? !inPage(to) && !ofBrowsers.test(to) : inPage(to) || ofBrowsers.test(to),
    );
    expect(wrong.map(show)).toEqual([]);
    expect(imports.filter(({ from }) => inPage(from)).length).toBeGreaterThan(50);
  });

  it("has a room for every file of the runtime", () => {
    const used = new Set(product.filter(({ path }) => path.startsWith(inRuntime)).map(({ path }) => roomOf(path)));
    expect([...used].toSorted()).toEqual([...Object.keys(rooms), ...compositionRoot].toSorted());
  });

  it("lists the rooms in ARCHITECTURE.md, with the rooms that each imports", async () => {
    const page = join(root, "ARCHITECTURE.md");
    const mark = "<!-- From here on made from the code; `vitest run test/architecture.test.ts -u` renews it. -->";
    const [written = ""] = readFileSync(page, "utf8").split(mark);
    const importedBy = (room: string): string[] =>
      [...new Set(inside.filter(({ from }) => from === room).map(({ to }) => to))].toSorted();
    const rows = Object.entries(rooms).map(
      ([room, purpose]) => `- **\`${room}\`**: ${purpose}. Imports: ${importedBy(room).join(", ") || "nothing"}.`,
    );
    await expect(`${written}${mark}\n\n${rows.join("\n")}\n`).toMatchFileSnapshot(page);
  });

  it("has no rooms that import each other in circles, except for the types of their contracts", () => {
    expect(circlesOf(inside).map(show)).toEqual([]);
    expect(inside.length).toBeGreaterThan(250);
  });

  it("lets a room import only files without effects from another room", () => {
    const effects = findEffects();
    const reaching = inside.filter(
      ({ from, to, known }) =>
        !known.typeOnly && !compositionRoot.includes(from) && to !== "process" && effects.has(known.to),
    );
    expect(reaching.map(({ known }) => show(known))).toEqual([]);
    expect(effects.size).toBeGreaterThan(50);
    expect(Object.keys(harmless).filter((path) => !effects.has(path))).toEqual([]);
  });

  it("has no files that import each other in a circle, not even their types", () => {
    const all = sources.flatMap(({ path, text }) => importsOf(path, text));
    const inCircles = circlesOf(all.filter(({ from, typeOnly }) => !(typeOnly && from in circleExceptions)));
    expect(inCircles.map(show)).toEqual([]);
    const excused = circlesOf(all).map(({ from }) => from);
    expect(Object.keys(circleExceptions).filter((path) => !excused.includes(path))).toEqual([]);
  });

  it("keeps each library behind its fence", () => {
    const wrong = imports.filter(({ from, to }) => {
      const library = Object.keys(fences).find((name) => isPartOf(to, name));
      return library !== undefined && !fences[library]?.some((place) => from.startsWith(place));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it("loads PostgreSQL for the flag of its store alone", () => {
    const loads = product.filter(({ text }) => text.includes('import("@x/postgres")')).map(({ path }) => path);
    expect(loads).toEqual(["packages/cli/src/serve/open-store.ts"]);
    expect(imports.filter(({ from, to }) => to === "@x/postgres" && !loads.includes(from))).toEqual([]);
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
      dependencies?: { readonly [name: string]: string };
    };
    expect(Object.keys(dependencies)).not.toContain("@x/postgres");
  });

  it("leaves the errors of a process to the command line", () => {
    const named = product.filter(({ text }) => /uncaughtException|unhandledRejection/.test(text));
    expect(named.map(({ path }) => path)).toEqual(["packages/cli/src/crash.ts"]);
  });

  it("keeps time, chance and environment out of the rules", () => {
    const users = product
      .filter(({ path, text }) => path.startsWith("packages/") && ambient.test(text))
      .map(({ path }) => path);
    const allowed = Object.keys(ambientAllowed);
    expect(users.filter((path) => !allowed.some((place) => path.startsWith(place)))).toEqual([]);
    const needless = allowed.filter((place) => !users.some((path) => path.startsWith(place)));
    expect(needless).toEqual([]);
  });

  it("keeps files short and names telling", () => {
    const long = sources.filter(({ text }) => text.split("\n").length - 1 > longestFile);
    expect(long.map(({ path }) => path)).toEqual([]);
    // Their names are those of Node's modules, and of the folders of real components.
    const given = ["packages/runtime/src/guest/modules/", "test/compatibility/components/"];
    const named = sources.filter(({ path }) => !given.some((folder) => path.startsWith(folder)));
    const vague = named.filter(({ path }) =>
      path.split("/").some((part) => bannedNames.test(part.replace(/\.(?:mjs|tsx|(?<!types\.)ts)$/, ""))),
    );
    expect(vague.map(({ path }) => path)).toEqual([]);
  });

  it("names every library of the manifests with its role and reason", () => {
    const fields = ["dependencies", "peerDependencies", "devDependencies"] as const;
    const used = globSync("packages/*/package.json", { cwd: root }).flatMap((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as Partial<
        Record<(typeof fields)[number], Readonly<Record<string, string>>>
      >;
      return fields.flatMap((field) => Object.keys(manifest[field] ?? {}));
    });
    const libraries = new Set(used.filter((name) => !name.startsWith("@x/")));
    const [, table = ""] = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split(/^## Built on$/m);
    const rows = (table.split(/^## /m)[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
    const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
    const named = cells.flatMap(([, names = ""]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
    expect(named.toSorted()).toEqual([...libraries].toSorted());
    for (const [, , role, reason] of cells) expect([role, reason]).not.toContain("");
  });
});
