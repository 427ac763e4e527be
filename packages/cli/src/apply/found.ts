import type { ProjectResource, SourceDifference } from "@x/runtime";

import type { ShownSource } from "../client/emitters.ts";

/** An account as the service lists it. */
export interface FoundAccount {
  readonly id: string;
  readonly app: string;
  readonly name: string | null;
}

export interface FoundWebhook {
  readonly id: string;
  readonly name: string | null;
  readonly url: string;
  readonly description: string | null;
  /** Undefined for one that the config does not name. */
  readonly format: string | undefined;
}

export interface FoundSubscription {
  readonly id: string;
  readonly emitter_id: string;
  readonly listener_id: string;
  readonly event_name: string;
}

export interface FoundWorkflow {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
}

/** The record of the project. */
export interface FoundProject {
  /** 0: there is none. */
  readonly revision: number;
  readonly resources: readonly ProjectResource[];
}

/** What a service has. */
export interface Found {
  readonly accounts: readonly FoundAccount[];
  readonly webhooks: readonly FoundWebhook[];
  readonly sources: readonly Pick<ShownSource, "id" | "name_slug">[];
  readonly subscriptions: readonly FoundSubscription[];
  readonly workflows: readonly FoundWorkflow[];
  readonly project: FoundProject;
  /** The project that has made a resource, by its id; only other projects. */
  readonly owners: ReadonlyMap<string, string>;
  /** What the config changes of each source that exists, by its name. */
  readonly differences: ReadonlyMap<string, readonly SourceDifference[]>;
  /** Names of accounts whose credentials are those that the project has set last. */
  readonly sameCredentials: ReadonlySet<string>;
}
