import { notExplained, type GuestError } from "@x/model";
import type { ThrownError } from "@x/sandbox";
import type { AuthorSource } from "./author-source.ts";
import { inNodeWords, nodeWords } from "./engine-words.ts";
import { type Declared, hintFor } from "./hint.ts";
import { mapStack, type SourcePosition } from "../bundle/stack.ts";
import { onlyCallOfPackage, packageOf } from "./loose-calls.ts";

/** Looking up the positions of a stack, per character. */
const stepsPerChar = 5;

/** Maps the stacks in a text to the author's files, with messages as in Node. */
export function authorStack(text: string, source: AuthorSource): string {
  if (!source.budget.take(text.length * stepsPerChar)) return `${text}\n(${notExplained})`;
  return mapStack(inNodeWords(text, source), source.map);
}

/** A component's error with positions in the author's files, messages as in Node, and a hint. */
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
  const position = `${source}:${line}:${column}`;
  return name === undefined ? `    at async ${position}` : `    at async ${name.replace(/^async /, "")} (${position})`;
};

/** Frames in the author's files that led to an error. The engine's stacks end at an `await`. */
function callSite({ stack, origin = "" }: ThrownError, source: AuthorSource): readonly string[] {
  const isOwn = (position: SourcePosition): boolean => source.point(position) !== undefined;
  const positions = source.positions(stack);
  if (positions.some(isOwn)) return [];
  for (const each of origin.split("\n\n")) {
    const own = source.positions(each).filter(isOwn);
    if (own.length > 0) return own.map(frameOf);
  }
  const [first] = [...positions, ...source.positions(origin)];
  const call = first && onlyCallOfPackage(source, packageOf(first.source));
  return call === undefined ? [] : [`    at async ${call}`];
}

/** Adds the author's frames to a stack when the engine has lost them. */
function withCallSite(mapped: string, error: ThrownError, source: AuthorSource): string {
  const frames = callSite(error, source);
  if (frames.length === 0) return mapped;
  const lines = mapped.split("\n");
  const last = lines.findLastIndex((line) => frameLine.test(line));
  const causes = lines.findIndex((line) => line.startsWith("Caused by: "));
  const at = last >= 0 ? last + 1 : causes >= 0 ? causes : lines.length;
  return [...lines.slice(0, at), ...frames, ...lines.slice(at)].join("\n");
}
