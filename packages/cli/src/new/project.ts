import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { type Names, renderText, type Template, titleOf } from "./template.ts";
import { readNodeRange } from "../version.ts";
import { UsageError } from "../errors.ts";

/** Versions that a new project is tested with; of vitest later ones too, since each of its parts demands its own version. */
export const tools = { vitest: "^5.1.0", typescript: "7.0.2", "@types/node": "24.19.2" } as const;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The words of a command line that are there. */
const line = (...words: readonly (string | undefined)[]): string =>
  words.filter((word) => word !== undefined && word !== "").join(" ");

/** What one types while one writes the component. */
export const devLine = ({ props }: Template, { name, language }: Names): string =>
  line("x dev", `${name}.${language}`, props);

function manifest(template: Template, names: Names, version: string): string {
  const { about, run } = template;
  const { name, language } = names;
  const { vitest, ...typed } = tools;
  return json({
    name,
    version: "0.1.0",
    private: true,
    description: `${titleOf(name)}: ${about}`,
    type: "module",
    scripts: {
      dev: devLine(template, names),
      start: `x run ${name}.${language} ${run}`,
      test: "x test",
      ...(language === "ts" && { check: "tsc -p ." }),
    },
    // JavaScript needs no import to be a component.
    ...(language === "ts" && { dependencies: { "@x/types": version } }),
    devDependencies: {
      "@x/cli": version,
      "@x/testing": version,
      ...(language === "ts" && typed),
      vitest,
    },
    engines: { node: readNodeRange() },
  });
}

const shell = (...lines: readonly string[]): string => ["```sh", ...lines, "```"].join("\n");

/** How a source of its one file comes to stay. */
const deployText = ({ props }: Template, { name, language }: Names): string =>
  [
    "To have it run for good, start a service, and give the API key that it prints to the commands that ask it:",
    shell("npx x serve"),
    shell(
      "export X_API_KEY=…",
      line("npx x sources deploy", `${name}.${language}`, props),
      `npx x events ${name} --follow`,
    ),
  ].join("\n\n");

/** How one of several files does, which are published together, and which has an account. */
const deployByKeyText = ({ props }: Template, { name, language }: Names): string =>
  [
    "To have it run for good, publish it with what it imports, start a service, and give the API key that it prints to the commands that ask it:",
    shell(`npx x publish ${name}.${language} --registry registry`, "npx x serve --registry registry"),
    'The account is made from a file with `{"token": "…"}`; its id is told:',
    shell(
      "export X_API_KEY=…",
      `npx x accounts add ${name} --auth-file .x/account.json`,
      line(`npx x sources deploy --key ${name}`, props, `'app={"authProvisionId":"apn_…"}'`),
      `npx x events ${name} --follow`,
    ),
  ].join("\n\n");

const deployTexts = { text: deployText, key: deployByKeyText };

function readme(template: Template, names: Names): string {
  const { about, run, first, deploys } = template;
  const { name, language } = names;
  const parts = [
    `# ${titleOf(name)}`,
    about.startsWith("a ") ? `A ${about.slice(2)}.` : `An event source that ${about}.`,
    ...(first === undefined ? [] : [renderText(first, names).trimEnd()]),
    [
      "```sh",
      "npm install",
      "npm test",
      `npx x run ${name}.${language} ${run}`,
      "```",
      "",
      `While you write: \`npx ${devLine(template, names)}\`.`,
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

/** Every file of a new project, by its name. */
export function projectFiles(template: Template, names: Names, version: string): ReadonlyMap<string, string> {
  const { name, language } = names;
  return new Map([
    ...Object.entries(template.files).map(
      ([suffix, text]) => [`${name}${suffix}.${language}`, renderText(text, names)] as const,
    ),
    ["package.json", manifest(template, names, version)],
    ["README.md", readme(template, names)],
    [".gitignore", "node_modules/\n.x/\n"],
    ...(language === "ts" ? [["tsconfig.json", json({ compilerOptions, include: ["*.ts"] })] as const] : []),
  ]);
}

/** What this reads of a package.json. */
export interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
}

/** The manifest of the project in a folder; undefined when there is no project. Throws `UsageError` for one that is no JSON. */
export function findManifest(folder: string): Manifest | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Manifest;
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : ""}`);
  }
}

/** Of the files of a new project those that one that is there needs for one more component. */
export function addedFiles(files: ReadonlyMap<string, string>, folder: string, { name }: Names): Map<string, string> {
  const isMissing = (file: string): boolean => file === "tsconfig.json" && !existsSync(join(folder, file));
  return new Map([...files].filter(([file]) => file.startsWith(`${name}.`) || isMissing(file)));
}

const packagesOf = ({ dependencies, devDependencies }: Manifest): { readonly [name: string]: string } => ({
  ...dependencies,
  ...devDependencies,
});

/** Packages that a project lacks beside another, as npm install takes them. */
export function lackingPackages(present: Manifest, wanted: Manifest): string[] {
  const known = packagesOf(present);
  return Object.entries(packagesOf(wanted)).flatMap(([name, version]) =>
    Object.hasOwn(known, name) ? [] : `${name}@${version}`,
  );
}
