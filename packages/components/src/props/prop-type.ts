import { didYouMean } from "@x/model";

/** How the values of a prop type are treated. */
export type PropKind = "value" | "timer" | "http" | "apphook" | "db" | "app" | "alert";

const kinds: ReadonlyMap<string, PropKind> = new Map<string, PropKind>([
  ["string", "value"],
  ["string[]", "value"],
  ["integer", "value"],
  ["integer[]", "value"],
  ["boolean", "value"],
  ["boolean[]", "value"],
  ["object", "value"],
  ["any", "value"],
  ["http_request", "value"],
  ["$.discord.channel", "value"],
  ["$.discord.channel[]", "value"],
  ["app", "app"],
  ["alert", "alert"],
  ["$.interface.timer", "timer"],
  ["$.interface.http", "http"],
  ["$.interface.apphook", "apphook"],
  ["$.service.db", "db"],
]);

/** Types of the component format that this runtime does not support. */
const unavailable: ReadonlyMap<string, string> = new Map([
  ["data_store", `is not available in this runtime; use "$.service.db"`],
  ["dir", "is not available in this runtime: components have no file system"],
  ["sql", "is not available in this runtime"],
]);

/** Suggestions for type names of other languages. */
const meant: ReadonlyMap<string, string> = new Map([
  ["number", "integer"],
  ["float", "integer"],
  ["int", "integer"],
  ["text", "string"],
  ["date", "string"],
  ["password", "string with secret: true"],
  ["bool", "boolean"],
  ["json", "object"],
  ["array", "string[]"],
  ["list", "string[]"],
]);

/** The kind of a type that passed `propTypeProblem`. */
export const propKind = (type: string): PropKind => kinds.get(type) ?? "value";

/** The reason why a prop cannot have this type (R047, R048), or undefined. */
export function propTypeProblem(type: string): string | undefined {
  if (kinds.has(type)) return undefined;
  const reason = unavailable.get(type);
  if (reason !== undefined) return `type "${type}" ${reason}`;
  if (type.endsWith("[]") && kinds.has(type.slice(0, -2))) {
    return `type "${type}" is not allowed: only boolean[], integer[] and string[] are arrays`;
  }
  const known = meant.get(type.toLowerCase());
  const hint = known === undefined ? didYouMean(type, kinds.keys()) : ` (did you mean ${known}?)`;
  return `type "${type.slice(0, 60)}" is unknown${hint}; expected one of ${[...kinds.keys()].join(", ")}`;
}
