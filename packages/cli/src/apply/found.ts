import type { Account, DataOf, Project, Source, Subscription, Webhook, Workflow } from "@x/client";

/** What a deploy would change of a source. */
export type SourceDifference = DataOf<"POST /sources/{id}/compare">["changes"][number];

export interface FoundWebhook extends Pick<Webhook, "id" | "name" | "url" | "description"> {
  /** Undefined for one that the config does not name. */
  readonly format: string | undefined;
}

/** The record of the project. Revision 0: there is none. */
export type FoundProject = Pick<Project, "revision" | "resources">;

/** What a service has. */
export interface Found {
  readonly accounts: readonly Pick<Account, "id" | "app" | "name">[];
  /** Slugs of the apps that have an endpoint. */
  readonly endpoints: readonly string[];
  readonly webhooks: readonly FoundWebhook[];
  readonly sources: readonly Pick<Source, "id" | "name_slug">[];
  readonly subscriptions: readonly Subscription[];
  readonly workflows: readonly Pick<Workflow, "id" | "name" | "name_slug">[];
  readonly project: FoundProject;
  /** The project that has made a resource, by its id; only other projects. */
  readonly owners: ReadonlyMap<string, string>;
  /** What the config changes of each source that exists, by its name. */
  readonly differences: ReadonlyMap<string, readonly SourceDifference[]>;
  /** Names of accounts whose credentials are those that the project has set last. */
  readonly sameCredentials: ReadonlySet<string>;
  /** Slugs of apps whose endpoints are as the project has set them last. */
  readonly sameEndpoints: ReadonlySet<string>;
}
