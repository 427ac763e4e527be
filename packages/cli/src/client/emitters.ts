import type { Source } from "@x/client";

import { findNearest } from "../arguments/nearest.ts";
import { ServiceError } from "../errors.ts";
import type { RestClient } from "./rest-client.ts";

/** A source or workflow: what has events. */
export interface Emitter {
  readonly folder: "sources" | "workflows";
  readonly id: string;
}

/** The user's sources, newest first. */
export const listSources = (client: RestClient): Promise<Source[]> => client.list("GET /users/me/sources", {});

/** A resource with the names by which it can be found. */
export interface Named {
  readonly id: string;
  readonly names: readonly string[];
}

/** At most so many names are suggested when no name is close. */
const maxShown = 10;

function listOf(things: readonly Named[]): string {
  const known = things.map(({ id, names: [name] }) => name ?? id);
  const some = known.slice(0, maxShown).join(", ");
  if (known.length < 2) return known.length === 0 ? "there are none" : `there is ${some}`;
  return `there are ${some}${known.length > maxShown ? ` and ${known.length - maxShown} more` : ""}`;
}

/** The resource with this name. Throws `ServiceError` (`not_found`) when there is none, with the nearest name, or several. */
export function findNamed<Thing extends Named>(what: string, name: string, things: readonly Thing[]): Thing {
  const [found, second] = things.filter(({ names }) => names.includes(name));
  if (found && !second) return found;
  const nearest = findNearest(
    name,
    things.flatMap(({ names }) => names),
  );
  const hint = nearest === undefined ? listOf(things) : `did you mean "${nearest}"?`;
  const error = second
    ? `Several have the name "${name}"; use an id: ${found?.id}, ${second.id}.`
    : `No ${what} has the id or name "${name}"; ${hint}`;
  throw new ServiceError({ error, code: "not_found", details: {} });
}

const sourceNames = ({ id, name, name_slug: slug }: Source): Named => ({ id, names: [...new Set([slug, name])] });

/** The id of the source with this id, name slug or name. */
export async function findSourceId(client: RestClient, idOrName: string): Promise<string> {
  // Slugs have no underscores.
  if (/^dc_\w+$/.test(idOrName)) return idOrName;
  return findNamed("source", idOrName, (await listSources(client)).map(sourceNames)).id;
}

/** The user's sources and workflows. */
export async function listEmitters(client: RestClient): Promise<(Emitter & Named)[]> {
  const workflows = await client.list("GET /users/me/workflows", {});
  return [
    ...(await listSources(client)).map((source) => ({ folder: "sources" as const, ...sourceNames(source) })),
    ...workflows.map(({ id, name, name_slug: slug }) => ({
      folder: "workflows" as const,
      id,
      names: [...new Set([slug, name])],
    })),
  ];
}

/** The source or workflow with this id or name. */
export async function findEmitter(client: RestClient, idOrName: string): Promise<Emitter> {
  if (/^p_\w+$/.test(idOrName)) return { folder: "workflows", id: idOrName };
  if (/^dc_\w+$/.test(idOrName)) return { folder: "sources", id: idOrName };
  const { folder, id } = findNamed("source or workflow", idOrName, await listEmitters(client));
  return { folder, id };
}
