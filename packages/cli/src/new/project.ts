import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { nodeRange } from "@x/model";

import { type Names, renderText, type Template, titleOf } from "./template.ts";
import { messageOf, UsageError } from "../errors.ts";

/** Versions that new projects are tested with; ranges for vite and vitest, whose packages require each other's exact version. */
export const tools = { vite: "^8.3.8", vitest: "^5.1.0", typescript: "7.0.2", "@types/node": "24.19.2" } as const;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** A command line of the words that are not empty. */
const line = (...words: readonly (string | undefined)[]): string =>
  words.filter((word) => word !== undefined && word !== "").join(" ");

/** The arguments of x during development. */
export const devLine = ({ props }: Template, { name, language }: Names): string =>
  line("dev", `${name}.${language}`, props);

function manifest(template: Template, names: Names, version: string): string {
  const { about, run } = template;
  const { name, language } = names;
  const { vite, vitest, ...typed } = tools;
  return json({
    name,
    version: "0.1.0",
    private: true,
    description: `${titleOf(name)}: ${about}`,
    type: "module",
    scripts: {
      dev: `x ${devLine(template, names)}`,
      start: `x run ${name}.${language} ${run}`,
      test: "x test",
      ...(language === "ts" && { check: "tsc -p ." }),
    },
    // JavaScript components need no import.
    ...(language === "ts" && { dependencies: { "@x/types": version } }),
    devDependencies: {
      "@x/cli": version,
      "@x/testing": version,
      ...(language === "ts" && typed),
      // vitest requires it, and Yarn installs no package that is only required as a peer.
      vite,
      vitest,
    },
    // npm: esbuild works without its script.
    allowScripts: { esbuild: false },
    engines: { node: nodeRange },
  });
}

const shell = (...lines: readonly string[]): string => ["```sh", ...lines, "```"].join("\n");

const serviceText =
  "To run it permanently, start a service and set its API key, which it prints, for the other commands:";

/** How to deploy a component without an account. */
const deployText = ({ props }: Template, { name, language, manager }: Names): string =>
  [
    serviceText,
    shell(`${manager.x} serve`),
    shell(
      "export X_API_KEY=…",
      line(`${manager.x} deploy`, `${name}.${language}`, props),
      `${manager.x} events ${name} --follow`,
    ),
  ].join("\n\n");

/** How to deploy a component with an account; the file of the account has been written for `x dev`. */
const deployWithAccountText = ({ props }: Template, { name, language, manager }: Names): string =>
  [
    serviceText,
    shell(`${manager.x} serve`),
    'Create the account from a file with `{"token": "…"}`, and deploy with it:',
    shell(
      "export X_API_KEY=…",
      `${manager.x} accounts add ${name} --name ${name} --auth-file .x/account.json`,
      line(`${manager.x} deploy`, `${name}.${language}`, props, `--account ${name}=${name}`),
      `${manager.x} events ${name} --follow`,
    ),
  ].join("\n\n");

const deployTexts = { alone: deployText, account: deployWithAccountText };

function readme(template: Template, names: Names): string {
  const { about, run, first, deploys } = template;
  const { name, language, manager } = names;
  const parts = [
    `# ${titleOf(name)}`,
    about.startsWith("a ") ? `A ${about.slice(2)}.` : `An event source that ${about}.`,
    ...(first === undefined ? [] : [renderText(first, names).trimEnd()]),
    [
      "```sh",
      manager.install,
      manager.test,
      `${manager.x} run ${name}.${language} ${run}`,
      "```",
      "",
      `During development: \`${manager.x} ${devLine(template, names)}\`.`,
    ].join("\n"),
    ...(deploys ? [deployTexts[deploys](template, names)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "dom"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** Settings of pnpm, which fails for packages with scripts that it has no answer for. Such a file is also the root of a workspace. */
const pnpmSettings = "pnpm-workspace.yaml";

/** Every file of a new project, by its name. */
export function projectFiles(template: Template, names: Names, version: string): ReadonlyMap<string, string> {
  const { name, language } = names;
  return new Map([
    ...Object.entries(template.files).map(
      ([suffix, text]) => [`${name}${suffix}.${language}`, renderText(text, names)] as const,
    ),
    ["package.json", manifest(template, names, version)],
    ["README.md", readme(template, names)],
    [".gitignore", "node_modules/\n.x/\n.pnp.*\n.yarn/cache/\n.yarn/unplugged/\n.yarn/install-state.gz\n"],
    [pnpmSettings, "# esbuild works without its script.\nallowBuilds:\n  esbuild: false\n"],
    ...(language === "ts" ? [["tsconfig.json", json({ compilerOptions, include: ["*.ts"] })] as const] : []),
  ]);
}

/** The fields of a package.json that `x new` reads. */
export interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
}

/** The package.json of a folder; undefined when there is none. Throws `UsageError` when it is not JSON. */
export function findManifest(folder: string): Manifest | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Manifest;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

function isBelowWorkspace(folder: string): boolean {
  const above = dirname(folder);
  return above !== folder && (existsSync(join(above, pnpmSettings)) || isBelowWorkspace(above));
}

/** The files of a project in a new folder: in a workspace of pnpm, the settings of its root hold. */
export const newFiles = (files: ReadonlyMap<string, string>, folder: string): ReadonlyMap<string, string> =>
  isBelowWorkspace(resolve(folder)) ? new Map([...files].filter(([file]) => file !== pnpmSettings)) : files;

/** The files of a new project that an existing one needs for one more component. */
export function addedFiles(files: ReadonlyMap<string, string>, folder: string, { name }: Names): Map<string, string> {
  const isMissing = (file: string): boolean => file === "tsconfig.json" && !existsSync(join(folder, file));
  return new Map([...files].filter(([file]) => file.startsWith(`${name}.`) || isMissing(file)));
}

const packagesOf = ({ dependencies, devDependencies }: Manifest): { readonly [name: string]: string } => ({
  ...dependencies,
  ...devDependencies,
});

/** The packages that a project lacks, as arguments of an installation. Its own vitest decides which vite it needs. */
export function lackingPackages(present: Manifest, wanted: Manifest): string[] {
  const known = packagesOf(present);
  return Object.entries(packagesOf(wanted)).flatMap(([name, version]) =>
    Object.hasOwn(known, name) || (name === "vite" && Object.hasOwn(known, "vitest")) ? [] : `${name}@${version}`,
  );
}
