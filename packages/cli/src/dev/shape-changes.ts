import { isDeepStrictEqual } from "node:util";

import type { ComponentShape } from "@x/runtime";

function* memberChanges<T>(what: string, before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>) {
  for (const [name, member] of after) {
    if (!before.has(name)) yield `${what} ${name} is new`;
    else if (!isDeepStrictEqual(before.get(name), member)) yield `${what} ${name} changed`;
  }
  for (const name of before.keys()) if (!after.has(name)) yield `${what} ${name} is gone`;
}

const propsOf = ({ props }: ComponentShape) => new Map(props.map((prop) => [prop.name, prop]));
const hooksOf = ({ hooks }: ComponentShape) => new Map(hooks.map((hook) => [hook, true]));

/** The differences between two declarations, as text; empty when only the code changed. */
export function shapeChanges(before: ComponentShape, after: ComponentShape): string[] {
  const fields = (["name", "version", "key", "dedupe", "transactional", "exactIntegers"] as const).flatMap((field) =>
    before[field] === after[field] ? [] : [`${field} ${before[field] ?? "none"} → ${after[field] ?? "none"}`],
  );
  return [
    ...fields,
    ...memberChanges("prop", propsOf(before), propsOf(after)),
    ...memberChanges("hook", hooksOf(before), hooksOf(after)),
  ];
}
