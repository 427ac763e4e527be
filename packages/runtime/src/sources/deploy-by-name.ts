import type { DeployInput, SourceView, UpdateInput } from "../api/api.ts";
import { slug as slugOf, type Components } from "@x/components";
import type { Dispatcher, Source } from "@x/model";
import type { Store } from "@x/store";
import type { PlannedWebhook } from "../webhooks/source-webhook.ts";

export interface DeployByNameParts {
  readonly store: Pick<Store, "sourceBySlug" | "commit">;
  readonly components: Pick<Components, "hold">;
  planWebhook(url: string): PlannedWebhook;
  create(input: DeployInput, userId: string): Promise<SourceView>;
  update(id: string, input: UpdateInput, userId: string): Promise<SourceView>;
  /** One deploy of a name at a time: two of them at once would both find no source. */
  readonly names: Pick<Dispatcher, "enter">;
}

/** Creates a source. With `ifExists: "update"`, the source with that name is updated, if there is one. */
export type Deploy = (input: DeployInput, userId: string) => Promise<SourceView>;

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

export function createDeploy(parts: DeployByNameParts): Deploy {
  const { store, components, planWebhook } = parts;

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
    if (input.ifExists !== "update") return parts.create(input, userId);
    const slug = await slugForDeploy(input, userId, components);
    using _turn = await parts.names.enter(`${userId} ${slug}`);
    const found = await store.sourceBySlug(userId, slug);
    if (found) return updateFound(found, input, userId);
    return { ...(await parts.create(input, userId)), change: "created" };
  };
}
