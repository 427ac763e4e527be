/** What a new component starts from. */
export interface Template {
  readonly name: string;
  /** One line: what the event source does; for what is none, what it is: "a step for workflows". */
  readonly about: string;
  /** Texts by what follows the name of the component in the file's name, such as `.test`; see `renderText`. */
  readonly files: { readonly [suffix: string]: string };
  /** Arguments of `x run` beside the file. */
  readonly run: string;
  /** Arguments of every command that makes a source of it: the props without which there is none. */
  readonly props?: string;
  /** How a running service takes a source of it: the text of its one file, or by its key from a registry. */
  readonly deploys?: "text" | "key";
  /** What to do before it does something useful; a sentence for the readme. */
  readonly first?: string;
}

/** JavaScript, or TypeScript. */
export type Language = "js" | "ts";

/** What takes the place of the marks in a template. */
export interface Names {
  readonly name: string;
  readonly language: Language;
  /** The npm registry as it is configured; default: one on this machine. */
  readonly registry?: string | undefined;
}

/** Where registries of one's own usually are. */
const localRegistry = "http://localhost:4873";

/** Without credentials, and what would be doubled before a path; one on this machine where the text is no URL. */
function registryOf(registry: string | undefined): string {
  if (registry === undefined || !/^https?:/.test(registry) || !URL.canParse(registry)) return localRegistry;
  const { origin, pathname } = new URL(registry);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** A name in words: `new-order` is "New order". */
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
 * The text of a file: without the indentation that all lines have, with `__NAME__`, `__FIELD__` (the name as one writes
 * it in an object), `__TITLE__`, `__EXT__` and `__REGISTRY__` filled in. What stands between « and » is for TypeScript only.
 */
export function renderText(template: string, { name, language, registry }: Names): string {
  const text = unindent(template).replaceAll(/«([^»]*)»/g, language === "ts" ? "$1" : "");
  const values = {
    NAME: name,
    FIELD: fieldOf(name),
    TITLE: titleOf(name),
    EXT: language,
    REGISTRY: registryOf(registry),
  };
  return Object.entries(values).reduce((filled, [mark, value]) => filled.replaceAll(`__${mark}__`, value), text);
}
