import type { DeployInput, SourceView, UpdateInput } from "../api/api.ts";
import type { Components } from "../components/components.ts";
import { slug as slugOf } from "../components/slug.ts";
import type { Source } from "../model/model.ts";
import { createDispatcher } from "../process/dispatcher.ts";
import type { Store } from "../store/contract.ts";
import type { PlannedWebhook } from "../webhooks/source-webhook.ts";

export interface DeployByNameParts {
  readonly store: Pick<Store, "sourceBySlug" | "commit">;
  readonly components: Pick<Components, "hold">;
  planWebhook(url: string): PlannedWebhook;
  create(input: DeployInput, userId: string): Promise<SourceView>;
  update(id: string, input: UpdateInput, userId: string): Promise<SourceView>;
  /** With several nodes: lets one deploy of a name begin at a time. */
  readonly enterName: ((name: string) => Promise<Disposable>) | undefined;
}

/** Deploys one source per name: the source with that name is updated, or else created. */
export type DeployByName = (input: DeployInput, userId: string) => Promise<SourceView>;

/** The slug of the source that a deploy is for. */
export async function slugForDeploy(
  { name, ...input }: DeployInput,
  userId: string,
  components: Pick<Components, "hold">,
): Promise<string> {
  if (name !== undefined) return slugOf(name);
  using held = await components.hold(input, userId);
  return slugOf(held.component.shape.name);
}

/** What of a deploy is for the source that has its name already. */
export function updateOf(input: DeployInput): {
  readonly change: UpdateInput;
  readonly webhookUrl: string | undefined;
} {
  const { ifExists: _, emitOnDeploy: __, restored: ___, webhookUrl, ...change } = input;
  return { change, webhookUrl };
}

export function createDeployByName(parts: DeployByNameParts): DeployByName {
  const { store, components, planWebhook } = parts;
  // One deploy of a name at a time: two of them at once would both find no source.
  const names = createDispatcher();

  /** Subscribes the webhook with the URL, unless it is subscribed. */
  async function subscribe(url: string, source: Source): Promise<SourceView["webhook"]> {
    using webhook = planWebhook(url);
    const changes = webhook.changes(source, "existing");
    if (changes.length > 0) await store.commit(changes);
    return webhook.result();
  }

  async function updateFound(found: Source, input: DeployInput, userId: string): Promise<SourceView> {
    const { change, webhookUrl } = updateOf(input);
    const view = await parts.update(found.id, change, userId);
    const webhook = webhookUrl === undefined ? undefined : await subscribe(webhookUrl, found);
    const isSame = view.source.deploymentId === found.deploymentId;
    return { ...view, ...(webhook && { webhook }), change: isSame ? "unchanged" : "updated" };
  }

  return async (input, userId) => {
    const slug = await slugForDeploy(input, userId, components);
    const name = `${userId} ${slug}`;
    using _turn = await (parts.enterName?.(name) ?? names.enter(name));
    const found = await store.sourceBySlug(userId, slug);
    if (found) return updateFound(found, input, userId);
    return { ...(await parts.create(input, userId)), change: "created" };
  };
}
