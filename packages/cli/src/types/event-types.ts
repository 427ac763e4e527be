import type { EventSchema } from "@x/client";
import { printType, type Schema } from "@x/model";

/** What the events of a component or source look like, with its name. */
export interface NamedEvents extends EventSchema {
  readonly name: string;
}

const json = "type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };\n";

/** `acme-new-order` as `AcmeNewOrder`. */
function pascalCase(name: string): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(joined) ? joined : `Event${joined}`;
}

/** The name, with a number when it is taken. */
function takeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}${number}`;
  taken.add(free);
  return free;
}

/** The definitions of a schema by their references. */
const definitionsOf = (schema: EventSchema["schema"]): [reference: string, name: string, schema: unknown][] =>
  ["$defs", "definitions"].flatMap((place) =>
    Object.entries(Object(schema[place]) as object).map(([name, each]): [string, string, unknown] => [
      `#/${place}/${name}`,
      name,
      each,
    ]),
  );

/** The schema with types in place of references; what leads elsewhere may be anything. */
function withTypes(value: unknown, types: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withTypes(each, types));
  if (typeof value !== "object" || value === null) return value;
  const { $ref: reference } = value as { readonly $ref?: unknown };
  if (typeof reference === "string") return { $ref: types.get(reference) ?? "Json" };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTypes(each, types)]));
}

function origin({ from, events }: EventSchema): string {
  if (from === "emits") return "as its component declares them";
  if (from === "sampleEmit") return "as the example of its component is";
  if (events === 0) return "of which nothing is known yet";
  return events === 1 ? "as its only one is" : `as its last ${events} are`;
}

function printEvents(events: NamedEvents, taken: Set<string>): string {
  const { name, schema } = events;
  const type = takeName(pascalCase(name), taken);
  const definitions = definitionsOf(schema).map(
    ([reference, part, each]) => [reference, takeName(type + pascalCase(part), taken), each] as const,
  );
  const types = new Map<string, string>([
    ["#", type],
    ...definitions.map(([reference, own]) => [reference, own] as const),
  ]);
  const print = (own: string, each: unknown): string =>
    `export type ${own} = ${printType(withTypes(each, types) as Schema, "answered")};\n`;
  return [
    `/** Events of ${name.replaceAll("*/", "")}, ${origin(events)}. */\n${print(type, schema)}`,
    ...definitions.map(([, own, each]) => print(own, each)),
  ].join("");
}

/** TypeScript types of events. */
export function printEventTypes(all: readonly NamedEvents[]): string {
  const taken = new Set(["Json"]);
  const types = all.map((each) => printEvents(each, taken)).join("\n");
  return `// Written by x types.\n\n${/\bJson\b/.test(types) ? `${json}\n` : ""}${types}`;
}
