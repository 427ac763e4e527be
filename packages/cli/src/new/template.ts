import type { PackageManager } from "../package-manager.ts";

/** A template for a new component. */
export interface Template {
  readonly name: string;
  /** One line: what the event source does, such as "runs every minute", or what it is: "a step for workflows". */
  readonly about: string;
  /** File contents by suffix after the component's name, such as `.test`; see `renderText`. */
  readonly files: { readonly [suffix: string]: string };
  /** Arguments of `x run` after the file. */
  readonly run: string;
  /** The required props, as arguments of each command that deploys the component. */
  readonly props?: string;
  /** How it is deployed to a service: alone, or with an account of its app. */
  readonly deploys?: "alone" | "account";
  /** The first step, for the readme. */
  readonly first?: string;
}

/** JavaScript, or TypeScript. */
export type Language = "js" | "ts";

/** The values of the placeholders in a template. */
export interface Names {
  readonly name: string;
  readonly language: Language;
  /** The configured npm registry; default: one on this machine. */
  readonly registry?: string | undefined;
  /** The one that the project is installed with. */
  readonly manager: PackageManager;
}

/** The usual address of a local registry. */
const localRegistry = "http://localhost:4873";

/** The URL without credentials and without a trailing slash; the local registry when the text is not a URL. */
function registryOf(registry: string | undefined): string {
  if (registry === undefined || !/^https?:/.test(registry) || !URL.canParse(registry)) return localRegistry;
  const { origin, pathname } = new URL(registry);
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, "")}`;
}

/** A title: `new-order` gives "New order". */
export function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const fieldOf = (name: string): string => (/^[a-z]\w*$/.test(name) ? name : JSON.stringify(name));

function unindent(text: string): string {
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return `${lines.map((line) => line.slice(indent)).join("\n")}\n`;
}

/**
 * The text of a file: removes the common indentation and fills in `__NAME__`, `__FIELD__` (the name as a key of an object),
 * `__TITLE__`, `__EXT__`, `__REGISTRY__` and `__X__` (the command x). Text between « and » is for TypeScript only.
 */
export function renderText(template: string, { name, language, registry, manager }: Names): string {
  const text = unindent(template).replaceAll(/«([^«»]*)»/g, language === "ts" ? "$1" : "");
  const values = {
    NAME: name,
    FIELD: fieldOf(name),
    TITLE: titleOf(name),
    EXT: language,
    REGISTRY: registryOf(registry),
    X: manager.x,
  };
  return Object.entries(values).reduce(
    (filled, [placeholder, value]) => filled.replaceAll(`__${placeholder}__`, value),
    text,
  );
}
