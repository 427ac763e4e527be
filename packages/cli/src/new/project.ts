import { type Names, renderText, titleOf } from "./render.ts";
import type { Template } from "./template.ts";

/** Versions that a new project is tested with. */
export const tools = { vitest: "5.1.0", typescript: "7.0.2", "@types/node": "24.19.2" } as const;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function manifest({ about, run }: Template, { name, language }: Names, version: string): string {
  const { vitest, ...typed } = tools;
  return json({
    name,
    version: "0.1.0",
    private: true,
    description: `${titleOf(name)}: ${about}`,
    type: "module",
    scripts: {
      dev: `x dev ${name}.${language}`,
      start: `x run ${name}.${language} ${run}`,
      test: "vitest run",
      ...(language === "ts" && { check: "tsc -p ." }),
    },
    dependencies: { "@x/types": version },
    devDependencies: {
      "@x/cli": version,
      "@x/runtime": version,
      ...(language === "ts" && typed),
      vitest,
    },
    engines: { node: ">=22.22.2" },
  });
}

const readme = ({ about, run, first }: Template, { name, language }: Names): string =>
  [
    `# ${titleOf(name)}`,
    `An event source that ${about}.`,
    ...(first === undefined ? [] : [first]),
    [
      "```sh",
      "npm install",
      "npm test",
      `npx x run ${name}.${language} ${run}`,
      "```",
      "",
      `While you write: \`npx x dev ${name}.${language}\`.`,
    ].join("\n"),
  ].join("\n\n") + "\n";

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
