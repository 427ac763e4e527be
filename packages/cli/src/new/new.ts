import { join, relative, resolve } from "node:path";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";

import { findNpmRegistry } from "../npm-registry.ts";
import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { hintOf } from "../arguments/nearest.ts";
import { askName, askTemplate, findTemplate, type Terminal } from "./ask.ts";
import { findPackageManager, type PackageManager } from "../package-manager.ts";
import {
  addedFiles,
  devLine,
  findManifest,
  lackingPackages,
  type Manifest,
  newFiles,
  projectFiles,
} from "./project.ts";
import type { Language, Template } from "./template.ts";
import { EnvironmentError, messageOf, UsageError } from "../errors.ts";
import { readVersion } from "../version.ts";
import { actionTemplate } from "./action.ts";
import { appEventsTemplate } from "./app-events.ts";
import { appTemplate } from "./app.ts";
import { httpTemplate } from "./http.ts";
import { pollingTemplate } from "./polling.ts";
import { timerTemplate } from "./timer.ts";
import { verifiedTemplate } from "./verified.ts";
import { webhookTemplate } from "./webhook.ts";

/** Writes files to a folder, which it creates. Throws `UsageError`, and writes none, if one exists and may not be replaced. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>, mayReplace: boolean): void {
  const known = [...files.keys()].filter((name) => existsSync(join(folder, name)));
  if (known.length > 0 && !mayReplace)
    throw new UsageError(
      `${folder === "." ? "This folder" : folder} already has ${known.join(", ")}; nothing was written. --force replaces them`,
    );
  try {
    mkdirSync(folder, { recursive: true });
    // `wx`: a file that was created since then is not replaced.
    for (const [name, text] of files) writeFileSync(join(folder, name), text, { flag: mayReplace ? "w" : "wx" });
  } catch (error) {
    throw new EnvironmentError(`${folder} cannot be written: ${messageOf(error)}`);
  }
}

/** Every template, the simplest first. */
export const templates: readonly Template[] = [
  timerTemplate,
  httpTemplate,
  pollingTemplate,
  webhookTemplate,
  verifiedTemplate,
  appTemplate,
  appEventsTemplate,
  actionTemplate,
];

const templateNames = templates.map(({ name }) => name);
const maxNameLength = 64;

/** Quoted for a shell when necessary. */
const shellWord = (text: string): string =>
  /^[\w./@%+=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A valid name similar to the text; empty when there is none. */
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
  const suggestion = like === "" ? "" : `; such as ${like}`;
  throw new UsageError(
    `NAME must be 1 to ${maxNameLength} lower-case letters, digits and single dashes, a letter first, got "${name}"${suggestion}`,
  );
}

/** The terminal for questions; undefined without one. */
function findTerminal(args: Arguments): Terminal | undefined {
  const { stdin: input, stdout: output } = process;
  return input.isTTY && output.isTTY && !args.has("json") ? { input, output } : undefined;
}

/** npm keeps flags for itself, and passes their values on. */
const ofNpm = (name: string): string =>
  findPackageManager().install === "npm install" && templateNames.includes(name)
    ? `; npm passes on only the flags after --, as in npm create @x NAME -- --template ${name}`
    : "";

async function readName(args: Arguments): Promise<string> {
  const [name, ...others] = args.operands;
  const [extra] = others;
  if (extra !== undefined) throw new UsageError(`One NAME at a time; "${extra}" is one too many${ofNpm(extra)}`);
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

/** The commands that install the missing packages of an existing project and run its tests. */
function installing(project: Manifest, files: ReadonlyMap<string, string>, { add, x }: PackageManager): string[] {
  const lacking = lackingPackages(project, JSON.parse(files.get("package.json") ?? "{}") as Manifest);
  return [...(lacking.length > 0 ? [`${add} ${lacking.map(shellWord).join(" ")}`] : []), `${x} test`];
}

async function create(args: Arguments): Promise<number> {
  const name = await readName(args);
  const template = await readTemplate(args);
  const language: Language = args.has("ts") ? "ts" : "js";
  const folder = args.text("dir") ?? name;
  const manager = findPackageManager();
  const names = { name, language, registry: await findNpmRegistry(), manager };
  const all = projectFiles(template, names, readVersion());
  const project = args.has("dir") && !args.has("force") ? findManifest(folder) : undefined;
  const files = project ? addedFiles(all, folder, names) : newFiles(all, folder);
  writeFiles(folder, files, args.has("force"));
  const path = relative(process.cwd(), resolve(folder));
  const next = [
    ...(path === "" ? [] : [`cd ${shellWord(path)}`]),
    ...(project ? installing(project, all, manager) : [manager.install, manager.test]),
    `${manager.x} ${devLine(template, names)}`,
  ];
  if (args.has("json")) {
    const written = [...files.keys()];
    const made = { name, template: template.name, language, folder: resolve(folder), files: written, next };
    console.log(JSON.stringify(made, null, 2));
    return 0;
  }
  console.log(
    `Wrote ${path === "" ? "" : `${folder}: `}${[...files.keys()].join(", ")}\n\nNext:\n${next.map((line) => `  ${line}`).join("\n")}`,
  );
  return 0;
}

/** `x new`: creates a component with its test from a template. */
export const newCommand: Command = {
  operands: "NAME",
  details: [
    [
      "Writes the component, a test, package.json, a readme and .gitignore. It needs no network; the installation does.",
      "If the folder of --dir has a package.json, the component and its test are added to that project.",
    ].join("\n"),
    `Templates:\n${templates.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`).join("\n")}`,
    "In a terminal it asks for a missing NAME or template. It replaces existing files only with --force.",
  ].join("\n\n"),
  flags: [
    { name: "template", value: "TEMPLATE", about: templateNames.join(", ") },
    { name: "ts", about: "in TypeScript (default JavaScript)" },
    { name: "dir", value: "DIR", about: "folder to write to (default ./NAME)" },
    { name: "force", about: "replace existing files" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: [
    "x new new-orders --template polling",
    "x new inbox --template http --ts --dir sources/inbox --json",
    "x new another --template timer --dir .",
  ],
  run: create,
};
