import type { Account, Json, Project, ProjectResource, Source } from "@x/client";

import { listSources } from "../client/emitters.ts";
import type { RestClient } from "../client/rest-client.ts";
import { ServiceError } from "../errors.ts";
import type { Config, ConfiguredSource } from "./config.ts";
import { isOf } from "./fingerprint.ts";
import type { Found, FoundWebhook, SourceDifference } from "./found.ts";
import { type SourceReference, wantedAccounts, wantedProps } from "./source-body.ts";

async function readWebhooks(client: RestClient, config: Config): Promise<FoundWebhook[]> {
  const names = new Set(config.webhooks.map(({ name }) => name));
  const found = await client.list("GET /users/me/webhooks", {});
  // Only the answer about one webhook has its format.
  return Promise.all(
    found.map(async (webhook) => {
      const { id, name } = webhook;
      const isWanted = name !== null && names.has(name);
      return isWanted ? client.ask("GET /webhooks/{id}", { path: { id } }) : { ...webhook, format: undefined };
    }),
  );
}

/** Finds the id of an account by its name or id. */
export const accountId =
  (accounts: readonly Pick<Account, "id" | "name">[]) =>
  (nameOrId: string): string | undefined =>
    accounts.find(({ id, name }) => name === nameOrId || id === nameOrId)?.id;

/** What the files of the config say. */
interface Parts {
  readonly references: ReadonlyMap<string, SourceReference>;
  readonly endpoints: ReadonlyMap<string, Json>;
}

interface Comparing {
  readonly client: RestClient;
  readonly accounts: readonly Pick<Account, "id" | "name">[];
  readonly references: ReadonlyMap<string, SourceReference>;
}

/** What the config changes of a source that exists. */
async function compareSource(
  wanted: ConfiguredSource,
  found: Source,
  { client, accounts, references }: Comparing,
): Promise<SourceDifference[]> {
  const { ids, missing } = wantedAccounts(wanted, accountId(accounts));
  const props = wantedProps(wanted, found);
  // What is there stays until the account that replaces it is made.
  for (const [name, value] of Object.entries(props)) if (value === null && missing.length > 0) delete props[name];
  const body = { ...references.get(wanted.name), configured_props: props, accounts: ids, active: wanted.active };
  const { changes } = await client.ask("POST /sources/{id}/compare", { path: { id: found.id }, body });
  return [...changes, ...missing.map((app) => ({ field: `accounts.${app}`, to: wanted.accounts[app] ?? "" }))];
}

/** Accounts whose credentials are those that the project has set last. */
const sameCredentials = ({ accounts }: Config, resources: readonly ProjectResource[]): Set<string> =>
  new Set(
    accounts.flatMap(({ name, auth }) => {
      const known = resources.find((each) => each.kind === "account" && each.name === name)?.fingerprint;
      return auth && typeof known === "string" && isOf(auth, known) ? [name] : [];
    }),
  );

/** Endpoints that are as the project has set them last. */
const sameEndpoints = (bodies: Parts["endpoints"], resources: readonly ProjectResource[]): Set<string> =>
  new Set(
    [...bodies].flatMap(([slug, body]) => {
      const known = resources.find(({ kind, name }) => kind === "endpoint" && name === slug)?.fingerprint;
      return typeof known === "string" && isOf(body, known) ? [slug] : [];
    }),
  );

/** A refusal with the name of the source that it is about. */
function ofSource(error: unknown, name: string): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, details } = error;
  return new ServiceError({ error: `source "${name}": ${error.message}`, code, details });
}

/** Ids of what other projects have made, with their names. */
const ownersOf = (projects: readonly Project[], own: string): [string, string][] =>
  projects
    .filter(({ name }) => name !== own)
    .flatMap(({ name, resources }) =>
      resources.flatMap(({ id, made }): [string, string][] => (made && id !== null ? [[id, name]] : [])),
    );

/** Reads what a service has, as far as the config and the record of its project need it. */
export async function readFound(
  client: RestClient,
  config: Config,
  { references, endpoints }: Parts,
): Promise<Found & { readonly shownSources: readonly Source[] }> {
  const projects = await client.ask("GET /users/me/projects");
  const project = projects.find(({ name }) => name === config.project) ?? { revision: 0, resources: [] };
  const accounts = await client.list("GET /users/me/accounts", {});
  const sources = await listSources(client);
  const differences = new Map<string, readonly SourceDifference[]>();
  for (const wanted of config.sources) {
    const source = sources.find(({ name_slug: slug }) => slug === wanted.name);
    if (!source) continue;
    const compared = compareSource(wanted, source, { client, accounts, references }).catch((error: unknown) => {
      throw ofSource(error, wanted.name);
    });
    differences.set(wanted.name, await compared);
  }
  return {
    project,
    accounts,
    sources,
    shownSources: sources,
    differences,
    endpoints: (await client.ask("GET /users/me/apps")).flatMap(({ app, endpoint_url: url }) =>
      url === null ? [] : [app],
    ),
    webhooks: await readWebhooks(client, config),
    subscriptions: await client.ask("GET /users/me/subscriptions"),
    workflows: await client.list("GET /users/me/workflows", {}),
    owners: new Map(ownersOf(projects, config.project)),
    sameCredentials: sameCredentials(config, project.resources),
    sameEndpoints: sameEndpoints(endpoints, project.resources),
  };
}
