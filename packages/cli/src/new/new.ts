import { join, relative, resolve } from "node:path";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";

import { findNpmRegistry } from "../npm-registry.ts";
import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { hintOf } from "../arguments/nearest.ts";
import { askName, askTemplate, findTemplate, type Terminal } from "./ask.ts";
import { addedFiles, devLine, findManifest, lackingPackages, type Manifest, projectFiles } from "./project.ts";
import type { Language, Template } from "./template.ts";
import { EnvironmentError, UsageError } from "../errors.ts";
import { readVersion } from "../version.ts";
import { actionTemplate } from "./action.ts";
import { appTemplate } from "./app.ts";
import { httpTemplate } from "./http.ts";
import { pollingTemplate } from "./polling.ts";
import { timerTemplate } from "./timer.ts";
import { webhookTemplate } from "./webhook.ts";

/** Writes files into a folder, which it makes; all of them or, unless it may replace what is there, none. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>, mayReplace: boolean): void {
  const known = [...files.keys()].filter((name) => existsSync(join(folder, name)));
  if (known.length > 0 && !mayReplace)
    throw new UsageError(
      `${folder === "." ? "This folder" : folder} has ${known.join(", ")} already; nothing was written. --force replaces them`,
    );
  try {
    mkdirSync(folder, { recursive: true });
    // A file that has come since then is not replaced either.
    for (const [name, text] of files) writeFileSync(join(folder, name), text, { flag: mayReplace ? "w" : "wx" });
  } catch (error) {
    throw new EnvironmentError(
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Every template, the simplest first. */
export const templates: readonly Template[] = [
  timerTemplate,
  httpTemplate,
  pollingTemplate,
  webhookTemplate,
  appTemplate,
  actionTemplate,
];

const templateNames = templates.map(({ name }) => name);
const maxNameLength = 64;

/** As a shell reads it as one word. */
const shellWord = (text: string): string =>
  /^[\w./@%+=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A name that is near to what was given; empty when nothing of it can stay. */
const nameLike = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, maxNameLength)
    .replace(/-$/, "");

function parseName(name: string): string {
  if (/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) && name.length <= maxNameLength) return name;
  const like = nameLike(name);
  const such = like === "" ? "" : `; such as ${like}`;
  throw new UsageError(
    `NAME must be 1 to ${maxNameLength} lower-case letters, digits and single dashes, a letter first, got "${name}"${such}`,
  );
}

/** To ask in, where somebody sits before it. */
function findTerminal(args: Arguments): Terminal | undefined {
  const { stdin: input, stdout: output } = process;
  return input.isTTY && output.isTTY && !args.has("json") ? { input, output } : undefined;
}

async function readName(args: Arguments): Promise<string> {
  const [name, ...others] = args.operands;
  if (others.length > 0) throw new UsageError(`One NAME at a time; "${others[0]}" is one too many`);
  if (name !== undefined) return parseName(name);
  const terminal = findTerminal(args);
  if (!terminal) throw new UsageError("Which NAME?");
  return askName(terminal, parseName);
}

async function readTemplate(args: Arguments): Promise<Template> {
  const wanted = args.text("template");
  if (wanted !== undefined) {
    const template = findTemplate(wanted, templates);
    if (template) return template;
    throw new UsageError(`There is no template "${wanted}"; ${hintOf(wanted, templateNames)}`);
  }
  const terminal = findTerminal(args);
  if (terminal) return askTemplate(terminal, templates);
  throw new UsageError(`Which template? Give --template ${templateNames.join("|")}`);
}

/** What a project that is there still needs, and how its tests run. */
function installing(project: Manifest, files: ReadonlyMap<string, string>): string[] {
  const lacking = lackingPackages(project, JSON.parse(files.get("package.json") ?? "{}") as Manifest);
  return [...(lacking.length > 0 ? [`npm install --save-dev ${lacking.map(shellWord).join(" ")}`] : []), "npx x test"];
}

async function create(args: Arguments): Promise<number> {
  const name = await readName(args);
  const template = await readTemplate(args);
  const language: Language = args.has("ts") ? "ts" : "js";
  const folder = args.text("dir") ?? name;
  const names = { name, language, registry: await findNpmRegistry() };
  const all = projectFiles(template, names, readVersion());
  const project = args.has("dir") && !args.has("force") ? findManifest(folder) : undefined;
  const files = project ? addedFiles(all, folder, names) : all;
  writeFiles(folder, files, args.has("force"));
  const place = relative(process.cwd(), resolve(folder));
  const next = [
    ...(place === "" ? [] : [`cd ${shellWord(place)}`]),
    ...(project ? installing(project, all) : ["npm install", "npm test"]),
    `npx ${devLine(template, names)}`,
  ];
  if (args.has("json")) {
    const written = [...files.keys()];
    const made = { name, template: template.name, language, folder: resolve(folder), files: written, next };
    console.log(JSON.stringify(made, null, 2));
    return 0;
  }
  console.log(
    `Wrote ${place === "" ? "" : `${folder}: `}${[...files.keys()].join(", ")}\n\nNext:\n${next.map((line) => `  ${line}`).join("\n")}`,
  );
  return 0;
}

/** `x new`: a component with its test, from a template. */
export const newCommand: Command = {
  name: "new",
  operands: "NAME",
  about: "Start a component with its test",
  details: [
    [
      "Writes the component, a test, package.json, a readme and .gitignore. Needs no network; npm install does.",
      "With --dir of a folder that has a package.json, the component and its test are added to that project.",
    ].join("\n"),
    `Templates:\n${templates.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`).join("\n")}`,
    "It asks for NAME and template when they are not args, and there is a terminal. What is there already is never\nreplaced without --force.",
  ].join("\n\n"),
  flags: [
    { name: "template", value: "TEMPLATE", about: templateNames.join(", ") },
    { name: "ts", about: "in TypeScript (default JavaScript)" },
    { name: "dir", value: "DIR", about: "folder to write to (default ./NAME)" },
    { name: "force", about: "replace files that are there" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: [
    "x new new-orders --template polling",
    "x new inbox --template http --ts --dir sources/inbox --json",
    "x new another --template timer --dir .",
  ],
  run: create,
};
