import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A package manager as its users have it. */
export interface TestedManager {
  readonly name: string;
  /** Its programs: name and command line. */
  readonly programs: Readonly<Record<string, string>>;
  /** Makes a project, before the name of it; then its flags, behind `--` where the manager wants that. */
  readonly creates: string;
  readonly dashes?: string;
  /** Installs, tests and develops. */
  readonly commands: readonly string[];
  /** What `x doctor` says of the installation. */
  readonly packages: RegExp;
  /** What its users type instead of a command of their manager's other versions. */
  readonly adapts?: (command: string) => string;
  /** Lines of `.yarnrc.yml`. */
  readonly settings?: string;
  /** Begins a project of its own, whatever the folders above have. */
  readonly lockFile?: string;
}

/** Where `npm run test:packed` has installed managers from npm; undefined for other runs, which have npm alone. */
const installed = process.env["X_TEST_MANAGERS"];

const inModules = /^ok {7}packages +\S+\/stars\/node_modules$/m;

const npm: TestedManager = {
  name: "npm",
  programs: {},
  creates: "npm create --yes @x",
  dashes: "-- ",
  packages: inModules,
  commands: ["npm install", "npm test", "npx @x/cli dev stars.ts"],
};

const yarnCommands = ["yarn install", "yarn test", "yarn x dev stars.ts"];

const fromNpm = (folder: string): TestedManager[] => {
  const yarn = (path: string): Readonly<Record<string, string>> => ({
    yarn: `node ${join(folder, "node_modules", path, "bin/yarn.js")}`,
  });
  const bun = join(folder, `node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`);
  const yarn4 = {
    programs: yarn("@yarnpkg/cli-dist"),
    creates: "yarn create @x",
    commands: yarnCommands,
    lockFile: "yarn.lock",
  };
  return [
    {
      name: "pnpm",
      programs: { pnpm: join(folder, "node_modules/pnpm/pnpm") },
      creates: "pnpm create @x",
      packages: inModules,
      commands: ["pnpm install", "pnpm test", "pnpm exec x dev stars.ts"],
    },
    {
      name: "Yarn 1",
      // Root has these folders apart from its home: they would have packages of other registries.
      programs: {
        yarn: `env YARN_CACHE_FOLDER="$HOME/.cache/yarn" YARN_GLOBAL_FOLDER="$HOME/.config/yarn/global" ${yarn("yarn")["yarn"]}`,
      },
      creates: "yarn create @x",
      commands: yarnCommands,
      packages: inModules,
      adapts: (command) => command.replace(/^yarn x /, "yarn --silent x "),
    },
    { name: "Yarn 4 with node_modules", ...yarn4, packages: inModules, settings: "nodeLinker: node-modules" },
    {
      name: "Yarn 4 with Plug'n'Play",
      ...yarn4,
      packages: /^ok {7}packages +Yarn's Plug'n'Play, \S+\/stars\/\.pnp\.cjs$/m,
      settings: "nodeLinker: pnp",
    },
    {
      name: "the installer of bun",
      programs: { bun },
      creates: "bun create @x",
      packages: inModules,
      commands: ["bun install", "bun run test", "bun run x dev stars.ts"],
    },
  ];
};

/** Every manager that npm provides as a package. */
export const managers: readonly TestedManager[] = [npm, ...(installed === undefined ? [] : fromNpm(installed))];

/** The home of a user whose package managers know one registry, with the manager as a program of its `bin`. */
export function makeHome({ programs, settings = "" }: TestedManager, url: string): string {
  const home = mkdtempSync(join(tmpdir(), "x-managers-"));
  writeFileSync(join(home, ".npmrc"), `registry=${url}\naudit=false\nfund=false\nupdate-notifier=false\n`);
  const yarn = [`npmRegistryServer: ${url}`, "unsafeHttpWhitelist: [127.0.0.1]", "enableTelemetry: false", settings];
  writeFileSync(join(home, ".yarnrc.yml"), `${yarn.join("\n")}\n`);
  mkdirSync(join(home, "bin"));
  for (const [name, command] of Object.entries(programs)) {
    const file = join(home, "bin", name);
    writeFileSync(file, `#!/bin/sh\nexec ${command} "$@"\n`);
    chmodSync(file, 0o755);
  }
  return home;
}
