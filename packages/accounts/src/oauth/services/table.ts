import { businessServices } from "./business-services.ts";
import { developerServices } from "./developer-services.ts";
import { officeServices } from "./office-services.ts";
import type { KnownService } from "./service.ts";
import { socialServices } from "./social-services.ts";

/** Known services, by name. Addresses and differences are from their public documentation. */
export const services: readonly KnownService[] = [
  ...developerServices,
  ...officeServices,
  ...businessServices,
  ...socialServices,
].toSorted((a, b) => (a.name < b.name ? -1 : 1));
