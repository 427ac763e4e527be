import type { Place } from "../bundle/stack.ts";
import type { ThrownError } from "../../sandbox/contract.ts";
import type { AuthorSource } from "./author-source.ts";
import { onlyCallOfPackage, packageOf } from "./loose-calls.ts";

const frameLine = /^\s+at /;

const frameOf = ({ name, source, line, column }: Place): string => {
  const place = `${source}:${line}:${column}`;
  return name === undefined ? `    at async ${place}` : `    at async ${name.replace(/^async /, "")} (${place})`;
};

/** Frames in the author's own files of what led to an error; the engine's stacks end where a promise goes on. */
function callSite({ stack, origin = "" }: ThrownError, source: AuthorSource): readonly string[] {
  const isOwn = (place: Place): boolean => source.point(place) !== undefined;
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
export function withCallSite(mapped: string, error: ThrownError, source: AuthorSource): string {
  const frames = callSite(error, source);
  if (frames.length === 0) return mapped;
  const lines = mapped.split("\n");
  const last = lines.findLastIndex((line) => frameLine.test(line));
  const causes = lines.findIndex((line) => line.startsWith("Caused by: "));
  const at = last >= 0 ? last + 1 : causes >= 0 ? causes : lines.length;
  return [...lines.slice(0, at), ...frames, ...lines.slice(at)].join("\n");
}
