import type { GuestError } from "../../model/model.ts";
import type { ThrownError } from "../../sandbox/contract.ts";
import type { AuthorSource } from "./author-source.ts";
import { inNodeWords, nodeWords } from "./engine-words.ts";
import { type Declared, hintFor } from "./hint.ts";
import { mapStack, type SourcePosition } from "../bundle/stack.ts";
import { onlyCallOfPackage, packageOf } from "./loose-calls.ts";

/** A text with stacks of the bundle, in the author's files and the words that authors know. */
export const authorStack = (text: string, source: AuthorSource): string =>
  mapStack(inNodeWords(text, source), source.map);

/** A component's error in the author's files and the words that authors know, and what helps against it. */
export function explainError(error: ThrownError, source: AuthorSource, declared: Declared): GuestError {
  const { code, name, message, stack } = error;
  const mapped = authorStack(stack === "" ? `${name}: ${message}` : stack, source);
  if (code !== "component_threw" && code !== "sandbox_crashed") return { code, name, message, stack: mapped };
  const words = nodeWords({ name, message, stack }, source);
  const hint = hintFor(words, source, declared);
  return {
    code,
    name: words.name,
    message: words.message,
    stack: withCallSite(mapped, error, source),
    ...(hint !== undefined && { hint }),
  };
}

const frameLine = /^\s+at /;

const frameOf = ({ name, source, line, column }: SourcePosition): string => {
  const place = `${source}:${line}:${column}`;
  return name === undefined ? `    at async ${place}` : `    at async ${name.replace(/^async /, "")} (${place})`;
};

/** Frames in the author's own files of what led to an error; the engine's stacks end where a promise goes on. */
function callSite({ stack, origin = "" }: ThrownError, source: AuthorSource): readonly string[] {
  const isOwn = (place: SourcePosition): boolean => source.point(place) !== undefined;
  const places = source.places(stack);
  if (places.some(isOwn)) return [];
  for (const each of origin.split("\n\n")) {
    const own = source.places(each).filter(isOwn);
    if (own.length > 0) return own.map(frameOf);
  }
  const [first] = [...places, ...source.places(origin)];
  const call = first && onlyCallOfPackage(source, packageOf(first.source));
  return call === undefined ? [] : [`    at async ${call}`];
}

/** The stack in the author's files, with the author's line where the engine has lost it. */
function withCallSite(mapped: string, error: ThrownError, source: AuthorSource): string {
  const frames = callSite(error, source);
  if (frames.length === 0) return mapped;
  const lines = mapped.split("\n");
  const last = lines.findLastIndex((line) => frameLine.test(line));
  const causes = lines.findIndex((line) => line.startsWith("Caused by: "));
  const at = last >= 0 ? last + 1 : causes >= 0 ? causes : lines.length;
  return [...lines.slice(0, at), ...frames, ...lines.slice(at)].join("\n");
}
