import { hostilePrograms } from "../../packages/sandbox/src/hostile.cases.ts";
import { rows as foreignRequests } from "../conformance/two-users-rows.ts";
import type { Attack } from "./attack.ts";
import { complexInputs } from "./complexity/all.ts";
import { connectionAttacks } from "./connections/connection-attacks.ts";
import { hostileCodes } from "./deploy/codes.ts";
import { addresses } from "./network/addresses.ts";
import { framings } from "./network/framing.ts";
import { nameServers } from "./network/lookups.ts";
import { redirects } from "./network/redirects.ts";
import { upstreams } from "./network/upstreams.ts";
import { hostileDocuments } from "./packages/documents.ts";
import { hostilePackages } from "./packages/packages.ts";
import { endless } from "./programs/cpu.ts";
import { escapes } from "./programs/escapes.ts";
import { floods } from "./programs/floods.ts";
import { leftovers } from "./programs/leftovers.ts";
import { resources } from "./programs/resources.ts";
import { wall } from "./programs/wall.ts";
import { hostileAnswers } from "./server/answers.ts";
import { pages } from "./server/pages.ts";
import { rawRequests } from "./server/requests.ts";
import { slowClients } from "./server/slow.ts";
import { hostileAppRequests } from "./apps/requests.ts";
import { leaks } from "./sources/leaks.ts";
import { allScenes } from "./sources/scenes.ts";
import { hostileWebhooks } from "./sources/webhooks.ts";

/** Rows that `sandbox/hostile.long.test.ts` and `test/faults/hostile.long.test.ts` run. */
const programs = hostilePrograms.map(({ what }): Attack => ({
  id: `program ${what}`,
  class: "cpu",
  promise: "process-lives",
}));
/** Rows that `test/conformance/two-users.test.ts` runs. */
const foreign = Object.keys(foreignRequests).map((route): Attack => ({
  id: `foreign ${route}`,
  class: "tenants",
  promise: "users-apart",
}));

/** All attacks. */
export const corpus: readonly Attack[] = [
  ...programs,
  ...endless,
  ...resources,
  ...wall,
  ...escapes,
  ...floods,
  ...leftovers,
  ...hostileCodes,
  ...hostilePackages,
  ...hostileDocuments,
  ...addresses,
  ...nameServers,
  ...redirects,
  ...framings,
  ...upstreams,
  ...hostileWebhooks,
  ...rawRequests,
  ...hostileAppRequests,
  ...slowClients,
  ...pages,
  ...hostileAnswers,
  ...allScenes,
  ...leaks,
  ...connectionAttacks,
  ...complexInputs,
  ...foreign,
];
