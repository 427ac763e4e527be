import { didYouMean } from "@x/model";

/** How the values of a prop type are treated. */
export type PropKind = "value" | "timer" | "http" | "apphook" | "db" | "app" | "alert" | "dir";

const kinds: ReadonlyMap<string, PropKind> = new Map<string, PropKind>([
  ["string", "value"],
  ["string[]", "value"],
  ["integer", "value"],
  ["integer[]", "value"],
  ["number", "value"],
  ["number[]", "value"],
  ["boolean", "value"],
  ["boolean[]", "value"],
  ["object", "value"],
  ["any", "value"],
  ["http_request", "value"],
  ["data_store", "value"],
  ["$.discord.channel", "value"],
  ["$.discord.channel[]", "value"],
  ["dir", "dir"],
  ["app", "app"],
  ["alert", "alert"],
  ["$.interface.timer", "timer"],
  ["$.interface.http", "http"],
  ["$.interface.apphook", "apphook"],
  ["$.service.db", "db"],
]);

/** Types whose props belong to an app prop. */
export const typesWithAppProp: readonly string[] = ["$.interface.apphook", "$.discord.channel", "$.discord.channel[]"];

/** Types of the component format that this runtime does not support. */
const unavailable: ReadonlyMap<string, string> = new Map([
  ["sql", "is not available in this runtime; call the HTTP interface of the database, with the query as a string prop"],
]);

/** A service of the hosted runtime, such as `$.airtable.tableId`. */
const hostedService = /^\$\.(?!interface\.|service\.)[\w.]+(?:\[\])?$/;
const ofHostedService = "asks a service of the hosted runtime for its choices; use a string prop with the id";

/** Why a known type cannot be used here; undefined for all others. A prop that is optional is then left out. */
export const unavailableType = (type: string): string | undefined =>
  unavailable.get(type) ?? (!kinds.has(type) && hostedService.test(type) ? ofHostedService : undefined);

/** Suggestions for type names of other languages. */
const meant: ReadonlyMap<string, string> = new Map([
  ["float", "number"],
  ["decimal", "number"],
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
  const reason = unavailableType(type);
  if (reason !== undefined) return `type "${type}" ${reason}`;
  if (type.endsWith("[]") && kinds.has(type.slice(0, -2))) {
    return `type "${type}" is not allowed: only boolean[], integer[], number[] and string[] are arrays`;
  }
  const known = meant.get(type.toLowerCase());
  const hint = known === undefined ? didYouMean(type, kinds.keys()) : ` (did you mean ${known}?)`;
  return `type "${type.slice(0, 60)}" is unknown${hint}; expected one of ${[...kinds.keys()].join(", ")}`;
}
