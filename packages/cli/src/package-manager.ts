import { environment } from "./environment.ts";

/** How a package manager is asked for what users of x need. */
export interface PackageManager {
  /** Installs the packages of a project. */
  readonly install: string;
  /** Runs the tests of a project. */
  readonly test: string;
  /** Runs x in a project, before its arguments; never a package that is only called x. */
  readonly x: string;
  /** Adds packages for development, before their names. */
  readonly add: string;
}

const npm: PackageManager = {
  install: "npm install",
  test: "npm test",
  x: "npx @x/cli",
  add: "npm install --save-dev",
};

/** By the name at the beginning of their user agents. */
const others: ReadonlyMap<string, PackageManager> = new Map([
  // pnpm fails for a package with a script, here that of esbuild, unless it is allowed.
  [
    "pnpm",
    { install: "pnpm install", test: "pnpm test", x: "pnpm exec x", add: "pnpm add --save-dev --allow-build=esbuild" },
  ],
  ["yarn", { install: "yarn install", test: "yarn test", x: "yarn x", add: "yarn add --dev" }],
  // `bun test` is a test runner of its own.
  ["bun", { install: "bun install", test: "bun run test", x: "bun run x", add: "bun add --dev" }],
]);

/** The package manager that started this process, such as `pnpm/12.21.0 npm/? node/v24.15.0 linux x64`; npm for any other start. */
export const findPackageManager = (userAgent: string | undefined = environment.packageManager): PackageManager =>
  others.get(userAgent?.split("/", 1)[0] ?? "") ?? npm;
