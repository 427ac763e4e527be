import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { compositionRoot, importsOfPackages as packages, packages as purposes, rooms } from "./rooms.ts";

/** Files that may import types from files that import them. */
const circleExceptions: { readonly [path: string]: string } = {
  "packages/sandbox/src/guest/parts.ts":
    "parts are code that is loaded by name at its first use, made with the prelude's kit, which has parts itself",
};

/** The only places that may import a library. */
const fences: { readonly [library: string]: readonly string[] } = {
  "quickjs-emscripten": ["packages/sandbox/src/"],
  // Its packages' licences are published with what it bundles.
  esbuild: ["packages/components/src/", "scripts/bundles.mjs"],
  acorn: ["packages/components/src/", "packages/cli/src/lint/"],
  ajv: ["packages/components/src/", "packages/server/"],
  keyv: ["packages/store/src/"],
  "@keyv/sqlite": ["packages/store/src/"],
  "node:sqlite": ["packages/store/src/"],
  // The command line uses it for the garbage collector only.
  "node:vm": ["packages/sandbox/src/", "packages/cli/src/serve/grown-heap.ts"],
  "node:inspector": ["packages/sandbox/src/", "packages/testing/src/imported/", "packages/cli/"],
  "node-cron": ["packages/model/src/cron.ts"],
  croner: ["packages/model/src/cron.ts"],
  "@npmcli/arborist": ["packages/components/src/packages/"],
  "@npmcli/config": ["packages/components/src/packages/"],
  pacote: ["packages/components/src/packages/"],
  tar: ["packages/components/src/packages/"],
  "enhanced-resolve": ["packages/components/src/"],
  semver: ["packages/components/src/packages/version-range.ts"],
  oauth4webapi: ["packages/accounts/src/oauth/protocol.ts"],
  "ipaddr.js": ["packages/runtime/src/network/"],
  "@jridgewell/trace-mapping": ["packages/components/src/"],
  "lru-cache": [
    "packages/accounts/",
    "packages/components/",
    "packages/model/",
    "packages/runtime/",
    "packages/sandbox/",
    "packages/store/",
  ],
  "core-js-pure": ["packages/sandbox/src/guest/parts/"],
  "urlpattern-polyfill": ["packages/sandbox/src/guest/parts/"],
  assert: ["packages/sandbox/src/guest/"],
  events: ["packages/sandbox/src/guest/"],
  "node-inspect-extracted": ["packages/sandbox/src/guest/"],
  "path-browserify": ["packages/sandbox/src/guest/"],
  "readable-stream": ["packages/sandbox/src/guest/"],
  string_decoder: ["packages/sandbox/src/guest/"],
  unenv: ["packages/sandbox/src/guest/"],
  "web-streams-polyfill": ["packages/sandbox/src/guest/parts/"],
  preact: ["packages/inspector/src/page/"],
  "@preact/signals": ["packages/inspector/src/page/"],
  "@codemirror": ["packages/inspector/src/page/ui/editor.ts"],
  "@lezer": ["packages/inspector/src/page/ui/editor.ts"],
  uplot: ["packages/inspector/src/page/"],
  diff: [
    "packages/cli/src/watch/line-diff.ts",
    "packages/inspector/src/page/runs/line-diff.ts",
    "packages/testing/src/matchers/alignment.ts",
  ],
  vite: ["scripts/build-inspector.mjs"],
  "playwright-core": ["test/inspector/"],
  "axe-core": ["test/inspector/"],
  "@opentelemetry/api": ["packages/runtime/src/observe/tracing.ts"],
  pg: ["packages/postgres/"],
  // Loaded when a store on PostgreSQL is asked for, and only then.
  "@x/postgres": ["packages/cli/src/serve/open-store.ts"],
  hono: ["packages/http/"],
  "@hono/node-server": ["packages/http/"],
};

/** Real time, randomness and environment stay out of the rules, so that tests can control them. Exceptions have a reason. */
const ambient = /\b(?:Date\.now|setTimeout|setInterval|Math\.random|process\.env)\b/;
const ambientAllowed: { readonly [path: string]: string } = {
  "packages/model/src/process/clock.ts": "is the clock",
  "packages/client/src/": "is used in other programs, in real time",
  "packages/model/src/process/thread-watch.ts": "a thread is held in real time",
  "packages/components/src/author/hint.ts": "names what components do not have",
  "packages/sandbox/src/guest/": "provides these names inside the sandbox",
  "packages/components/src/packages/cache/cache-limit.ts": "the times of files are real ones",
  "packages/sandbox/src/thread/call-timers.ts":
    "timers of components take real time, unless their clock skips it, and so do deadlines",
  "packages/sandbox/src/thread/call-effects.ts": "emits and logs have the time of their call",
  "packages/sandbox/src/pool/watchdog.ts": "deadlines hold in real time whatever the clock says",
  "packages/model/src/process/guarded-process.ts": "stops a process that takes too long",
  "packages/components/src/packages/cache/cache-folder.ts": "finds the user's cache folder",
  "packages/components/src/packages/install-pool.ts": "ends idle processes",
  "packages/components/src/packages/npm/npm-options.ts": "npm is configured by its environment",
  "packages/components/src/bundle/bundle-child.ts": "passes on how Yarn's Plug'n'Play finds packages",
  "packages/components/src/bundle/build.ts": "replaces process.env.NODE_ENV in the code of components",
  "packages/testing/src/cassette/cassette.ts": "reads the recording mode from the environment",
  "packages/testing/src/engine/engine.ts": "reads the engine from the environment",
  "packages/testing/src/real-timers.ts": "detects fake timers in a test",
  "packages/cli/src/explain/lint-rules.ts": "names what components do not have",
  "packages/cli/src/lint/code-rules.ts": "finds what components do not have",
  "packages/cli/src/environment.ts": "reads the environment for all commands",
  "packages/cli/src/serve/grown-heap.ts": "what a heap holds changes in real time",
  "packages/cli/src/serve/serve.ts": "says where a manual clock begins",
  "packages/cli/src/serve/service.ts": "shares the time to drain between server and runtime",
  "packages/cli/src/crash.ts": "bounds how long a process goes on that nothing is known of",
  "packages/cli/src/main.ts": "limits how long the output of a service may stay unread",
  "packages/inspector/src/page/": "runs in browsers, beside people",
  "packages/http/src/held-refusals.ts": "delays refusals of clients that repeat them at once",
  "packages/http/src/node.ts": "bounds how long open connections delay the end",
  "packages/http/src/send.ts": "disconnects clients that do not read their answers",
  "packages/http/src/unread-request.ts": "bounds how long the rest of a refused request is waited for",
};

/** Libraries and built-ins that do not reach out of the process. All others have effects. */
const effectFree =
  /^(?:node:(?:buffer|crypto|module|path|url|util)|acorn|ajv|croner|lru-cache|node-cron|semver|ipaddr\.js|@jridgewell\/trace-mapping)$/;

/** Files whose effects do not count for their importers. All may import `process` of the model, but its effects count. */
const harmless: { readonly [path: string]: string } = {
  "packages/model/src/process/clock.ts": "code takes a clock, and tests control it",
  "packages/model/src/process/slices.ts": "only yields the thread",
  "packages/components/src/author/hint.ts": "names setTimeout and process.env, and uses neither",
};
const bannedNames = /^(?:utils?|helpers?|common|shared|misc|lib|types\.ts)$/;
const longestFile = 400;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  /** Empty for imports of a whole module. */
  readonly names: readonly { readonly name: string; readonly alias: string; readonly typeOnly: boolean }[];
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

/** `a, type B as C` as names, each with its name in the importing file. */
const readNames = (list: string): Import["names"] =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [name = "", alias = name] = part.replace(/^type /, "").split(" as ");
      return { name, alias, typeOnly: part.startsWith("type ") };
    });

function importsOf(from: string, text: string): Import[] {
  const static_ = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:(?:\{([^}]*)\}|[\w$*{},\s]*?)\sfrom\s+)?["']([^"']+)["']/gm,
  );
  const dynamic = text.matchAll(/\bimport\(\s*()()["']([^"']+)["']/g);
  return [...static_, ...dynamic].map(([, type, names = "", specifier = ""]) => ({
    from,
    to: specifier.startsWith(".") ? relative(root, join(root, dirname(from), specifier)) : specifier,
    typeOnly: type !== undefined && type !== "",
    names: readNames(names),
  }));
}
const imports = product.flatMap(({ path, text }) => importsOf(path, text));
const show = ({ from, to, typeOnly }: Import): string => `${from} -> ${to}${typeOnly ? " (type)" : ""}`;
const packageOf = (path: string): string | undefined =>
  /^packages\/([^/]+)\//.exec(path)?.[1] ?? /^@x\/([^/]+)/.exec(path)?.[1];

/** The imports in circles: removes imports of files without imports, and from files without importers, until none is left. */
function circlesOf<I extends Pick<Import, "from" | "to">>(given: readonly I[]): readonly I[] {
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

/** Packages that are built into the runtime. */
const builtIn = packages["runtime"] ?? [];
const isInProcess = (path: string): boolean => ["runtime", ...builtIn].includes(packageOf(path) ?? "");

/** The files behind the names of each door. */
const doors: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  builtIn.map((name) => {
    const exported = imports.filter(({ from }) => from === `packages/${name}/src/index.ts`);
    const files = exported.flatMap(({ to, names }) => names.map(({ alias }) => [alias, to] as const));
    return [`@x/${name}`, new Map(files)] as const;
  }),
);

/** An import through a door as imports of the files behind its names, with values only. */
const behindDoor = (known: Import): Import[] => {
  const door = doors.get(known.to);
  if (door === undefined) return [known];
  return known.names
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ name }) => ({ ...known, to: door.get(name) ?? `${known.to} has no ${name}`, names: [] }));
};

/** The files of these packages with effects, their own or those of their imports, without harmless ones. */
function findEffects(): ReadonlySet<string> {
  const values = imports.filter(({ from, typeOnly }) => isInProcess(from) && !typeOnly).flatMap(behindDoor);
  const found = new Set([
    ...values.filter(({ to }) => !isInProcess(to) && !effectFree.test(to)).map(({ from }) => from),
    ...product.filter(({ path, text }) => isInProcess(path) && ambient.test(text)).map(({ path }) => path),
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
    const ofBoth = /^(?:@x\/client|diff)(?:\/|$)/;
    const wrong = imports.filter(({ from, to }) =>
      inPage(from) ? !inPage(to) && !ofBrowsers.test(to) && !ofBoth.test(to) : inPage(to) || ofBrowsers.test(to),
    );
    expect(wrong.map(show)).toEqual([]);
    expect(imports.filter(({ from }) => inPage(from)).length).toBeGreaterThan(50);
  });

  it("has a room for every file of the runtime", () => {
    const used = new Set(product.filter(({ path }) => path.startsWith(inRuntime)).map(({ path }) => roomOf(path)));
    expect([...used].toSorted()).toEqual([...Object.keys(rooms), ...compositionRoot].toSorted());
  });

  it("has a README for every package, and lists the packages that it imports", () => {
    expect(Object.keys(purposes)).toEqual(Object.keys(packages));
    const folders = globSync("packages/*/package.json", { cwd: root }).map(packageOf);
    expect(new Set(folders)).toEqual(new Set(Object.keys(packages)));
    for (const name of Object.keys(packages)) {
      const manifest = readFileSync(join(root, `packages/${name}/package.json`), "utf8");
      const imported = new Set(
        imports.filter(({ from }) => packageOf(from) === name).map(({ to }) => packageOf(to) ?? ""),
      );
      const used = packages[name]?.filter((each) => imported.has(each)) ?? [];
      expect([name, used]).toEqual([name, packages[name]]);
      // The command line finds the store of PostgreSQL where the user has installed it.
      const needed = used.filter((each) => each !== "postgres");
      expect(needed.filter((each) => !manifest.includes(`"@x/${each}": "workspace:*"`))).toEqual([]);
      expect(readFileSync(join(root, `packages/${name}/README.md`), "utf8")).toMatch(new RegExp(`^# @x/${name}\n`));
    }
  });

  it("lists packages and rooms in ARCHITECTURE.md, with those that each imports", async () => {
    const page = join(root, "ARCHITECTURE.md");
    const mark = "<!-- From here on made from the code; `vitest run test/architecture.test.ts -u` renews it. -->";
    const [written = ""] = readFileSync(page, "utf8").split(mark);
    const importedBy = (room: string): string[] =>
      [...new Set(inside.filter(({ from }) => from === room).map(({ to }) => to))].toSorted();
    const packageRows = Object.entries(purposes).map(
      ([name, purpose]) => `- **\`@x/${name}\`**: ${purpose}. Imports: ${packages[name]?.join(", ") || "nothing"}.`,
    );
    const rows = Object.entries(rooms).map(
      ([room, purpose]) => `- **\`${room}\`**: ${purpose}. Imports: ${importedBy(room).join(", ") || "nothing"}.`,
    );
    await expect(
      `${written}${mark}\n\n${packageRows.join("\n")}\n\nThe rooms of the runtime:\n\n${rows.join("\n")}\n`,
    ).toMatchFileSnapshot(page);
  });

  it("has no rooms that import each other in circles, except for the types of their contracts", () => {
    expect(circlesOf(inside).map(({ known }) => show(known))).toEqual([]);
    expect(inside.length).toBeGreaterThan(250);
  });

  it("lets a room import only files without effects from another room or package", () => {
    const effects = findEffects();
    const throughDoors = imports
      .filter(({ from, to, typeOnly }) => from.startsWith(inRuntime) && doors.has(to) && !typeOnly)
      .flatMap(behindDoor);
    const reaching = [...inside.filter(({ typeOnly }) => !typeOnly).map(({ known }) => known), ...throughDoors].filter(
      ({ from, to }) =>
        !compositionRoot.includes(roomOf(from)) && !to.startsWith("packages/model/src/process/") && effects.has(to),
    );
    expect(reaching.map(show)).toEqual([]);
    expect(throughDoors.filter(({ to }) => !to.startsWith("packages/"))).toEqual([]);
    expect(throughDoors.length).toBeGreaterThan(200);
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
    const given = ["packages/sandbox/src/guest/modules/", "test/compatibility/components/"];
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
