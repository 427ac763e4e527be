import type { DeployComparison, DeployInput, SourceDifference } from "../api/api.ts";
import type { Source } from "@x/model";
import type { Store } from "@x/store";
import { configureNew, type DeployParts } from "./deploy.ts";
import { slugForDeploy, updateOf } from "./deploy-by-name.ts";
import { compareUpdate, type UpdatePlanParts } from "./planned-update.ts";
import { newSource } from "./source-record.ts";
import { readSettings } from "./source-settings.ts";

export interface CompareDeployParts extends Omit<DeployParts, "views" | "store">, UpdatePlanParts {
  readonly store: Pick<Store, "sourceBySlug">;
}

/** Checks what creating the source would check, without its hooks. */
async function checkNew(
  given: DeployInput,
  slug: string,
  { userId, parts }: { userId: string; parts: CompareDeployParts },
) {
  const input = { ...given, settings: readSettings(given.settings) };
  using held = await parts.components.hold(input, userId);
  const configured = await configureNew(held.component, input, { userId, parts });
  const { endpointBase, clock } = parts;
  const source = newSource("dc_new", userId, { input, ...configured, slug, endpointBase, now: clock.now() });
  const use = { source, component: configured.component, isChosen: () => true, mustBeComplete: true } as const;
  using _accounts = await parts.accounts.hold(use);
}

/** The webhook that a deploy would add to a source. */
function webhookDifference(url: string, source: Source, parts: CompareDeployParts): SourceDifference[] {
  using webhook = parts.planWebhook(url);
  return webhook.changes(source, "existing").length === 0 ? [] : [{ field: "webhook", to: url }];
}

/** What a deploy by name would do; does nothing. */
export async function compareDeploy(
  input: DeployInput,
  userId: string,
  parts: CompareDeployParts,
): Promise<DeployComparison> {
  const nameSlug = await slugForDeploy(input, userId, parts.components);
  const found = await parts.store.sourceBySlug(userId, nameSlug);
  const { change, webhookUrl } = updateOf(input);
  if (!found) {
    if (webhookUrl !== undefined) parts.planWebhook(webhookUrl)[Symbol.dispose]();
    await checkNew(input, nameSlug, { userId, parts });
    return { change: "created", id: null, nameSlug, changes: [] };
  }
  const compared = await compareUpdate(found.id, change, userId, parts);
  const changes = [
    ...compared.changes,
    ...(webhookUrl === undefined ? [] : webhookDifference(webhookUrl, found, parts)),
  ];
  return { ...compared, change: changes.length === 0 ? "unchanged" : "updated", id: found.id, nameSlug, changes };
}
