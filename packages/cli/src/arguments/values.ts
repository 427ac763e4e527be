import { existsSync, readFileSync } from "node:fs";

import type { Json } from "@x/runtime";

import { fillVariables } from "./variables.ts";
import { oneLine } from "../terminal/terminal-text.ts";
import { messageOf, UsageError } from "../errors.ts";

/** Longer arguments are cut in messages. */
const maxQuotedLength = 80;

/** True for `name=value`. */
export const isPair = (text: string): boolean => /^[^\s={}[\]"/]+=/.test(text);

/** The props of a command line. */
export interface GivenProps {
  /** Values given as JSON. */
  readonly props: { readonly [prop: string]: Json };
  /** Values given as texts, which the types of the props decide about; no prop is in both. */
  readonly propTexts: { readonly [prop: string]: readonly string[] };
}

/** A text for the type of its prop, or a JSON value. */
type Given = readonly [name: string, value: { readonly text: string } | { readonly json: Json }];

function parseJson(name: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UsageError(`--props ${name}:= needs JSON; for a text write ${name}=TEXT`);
  }
}

function parsePair(pair: string): Given {
  const at = pair.indexOf("=");
  if (!isPair(pair)) throw new UsageError(`--props needs name=value, got "${pair}"`);
  const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
  if (name.endsWith(":") && name.length > 1) return [name.slice(0, -1), { json: parseJson(name.slice(0, -1), text) }];
  return [name, text === "null" ? { json: null } : { text }];
}

/** The pairs of a JSON file. */
function readPairs(path: string): Given[] {
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    // The parser's message may quote a secret of the file.
    const why = error instanceof SyntaxError ? "it is not JSON" : messageOf(error);
    throw new UsageError(`--props @${path} cannot be read: ${why}`);
  }
  if (typeof values === "object" && values !== null && !Array.isArray(values))
    return Object.entries(values as { readonly [prop: string]: Json }).map(([name, json]) => [name, { json }]);
  throw new UsageError(`--props @${path} needs a JSON object of props by their names`);
}

/**
 * Props from `name=value` pairs, whose texts mean what the types of the props say, from `name:=JSON`, and from JSON files as
 * `@FILE`; a later one has priority, and texts of one prop add up. `null` removes a value; `${NAME}` in a value is a variable
 * of the environment. Throws `UsageError`.
 */
export function parseProps(pairs: readonly string[]): GivenProps {
  const props = new Map<string, Json>();
  const texts = new Map<string, readonly string[]>();
  for (const [name, given] of pairs.flatMap((pair) =>
    pair.startsWith("@") ? readPairs(pair.slice(1)) : [parsePair(pair)],
  )) {
    const filled = fillVariables("text" in given ? given.text : given.json, `The value of ${name}`);
    if ("text" in given && typeof filled === "string") {
      props.delete(name);
      texts.set(name, [...(texts.get(name) ?? []), filled]);
    } else {
      texts.delete(name);
      props.set(name, filled);
    }
  }
  return { props: Object.fromEntries(props), propTexts: Object.fromEntries(texts) };
}

/** The names of all given props. */
export const givenNames = ({ props, propTexts }: Partial<GivenProps>): string[] => [
  ...Object.keys(props ?? {}),
  ...Object.keys(propTexts ?? {}),
];

/** The given values as parts of a request to a service. */
export const givenBody = ({
  props,
  propTexts,
}: GivenProps): { configured_props?: GivenProps["props"]; prop_texts?: { [prop: string]: string[] } } => ({
  ...(Object.keys(props).length > 0 && { configured_props: props }),
  ...(Object.keys(propTexts).length > 0 && {
    prop_texts: Object.fromEntries(Object.entries(propTexts).map(([name, texts]) => [name, [...texts]])),
  }),
});

/** The one component file among the operands; the others are pairs after `--props`. Throws `UsageError`. */
export function readFileOperand(operands: readonly string[]): { file: string; pairs: readonly string[] } {
  const [file, ...pairs] = operands;
  if (file === undefined) throw new UsageError("Which FILE?");
  const extra = pairs.find((each) => !isPair(each));
  if (extra !== undefined) throw new UsageError(`One FILE at a time; "${extra}" is one too many`);
  return { file, pairs };
}

/** The files among the operands; the others are pairs after `--props`. */
export function readFileOperands(operands: readonly string[]): { files: readonly string[]; pairs: readonly string[] } {
  const isOfProps = (each: string): boolean => isPair(each) && !existsSync(each);
  return { files: operands.filter((each) => !isOfProps(each)), pairs: operands.filter(isOfProps) };
}

function readEventFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`The event file ${path} cannot be read: ${messageOf(error)}`);
  }
}

/** An event from JSON text, or from `@FILE`. */
export function parseEvent(flag: string, text: string): Json {
  const json = text.startsWith("@") ? readEventFile(text.slice(1)) : text;
  try {
    return JSON.parse(json) as Json;
  } catch (error) {
    const origin = text.startsWith("@") ? text.slice(1) : `"${oneLine(text, maxQuotedLength)}"`;
    const why = error instanceof Error ? ` (${oneLine(error.message, maxQuotedLength)})` : "";
    throw new UsageError(`--${flag} must be JSON, or @FILE with JSON; got ${origin}${why}`);
  }
}
