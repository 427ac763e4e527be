import { join } from "node:path";

/** A package manager as its users have it. */
export interface TestedManager {
  readonly name: string;
  /** Its programs: name and command line. */
  readonly programs: Readonly<Record<string, string>>;
  /** Runs a package that is not installed. */
  readonly runsOnce: string;
  /** Installs, tests and develops. */
  readonly commands: readonly string[];
  /** What `x new` prints instead: the commands of the manager that ran it. */
  readonly printed?: readonly string[];
  /** What `x doctor` says of the installation. */
  readonly packages: RegExp;
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
  runsOnce: "npx --yes",
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
    runsOnce: "yarn dlx",
    commands: yarnCommands,
    lockFile: "yarn.lock",
  };
  return [
    {
      name: "pnpm",
      programs: { pnpm: join(folder, "node_modules/pnpm/pnpm") },
      runsOnce: "pnpm dlx",
      packages: inModules,
      commands: ["pnpm install", "pnpm test", "pnpm exec x dev stars.ts"],
    },
    // It runs nothing that is not installed.
    {
      name: "Yarn 1",
      programs: yarn("yarn"),
      runsOnce: "npx --yes",
      commands: yarnCommands,
      packages: inModules,
      printed: npm.commands,
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
      runsOnce: "bun x",
      packages: inModules,
      commands: ["bun install", "bun run test", "bun run x dev stars.ts"],
    },
  ];
};

/** Every manager that npm provides as a package. */
export const managers: readonly TestedManager[] = [npm, ...(installed === undefined ? [] : fromNpm(installed))];
