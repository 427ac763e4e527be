import type { KnownService } from "./service.ts";
import { services } from "./table.ts";

const byName: ReadonlyMap<string, KnownService> = new Map(
  services.flatMap((service) => [service.name, ...service.apps].map((name) => [name, service] as const)),
);

/** The known service with this name, or with an app of this slug. */
export const findService = (nameOrSlug: string): KnownService | undefined => byName.get(nameOrSlug);
