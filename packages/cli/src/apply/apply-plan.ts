import type { ProjectResource, Source, Workflow } from "@x/client";
import type { Problem } from "@x/runtime";

import type { RestClient } from "../client/rest-client.ts";
import { ServiceError } from "../errors.ts";
import type { Config } from "./config.ts";
import type { EndpointBody } from "./endpoint-body.ts";
import { makeFingerprint } from "./fingerprint.ts";
import type { Found } from "./found.ts";
import { globs, type Plan, type Step, subscriptionName } from "./plan.ts";
import { accountId } from "./read-found.ts";
import { type SourceReference, wantedAccounts, wantedProps } from "./source-body.ts";

/** What the steps of a plan work with. */
export interface ApplyParts {
  readonly client: RestClient;
  readonly config: Config;
  readonly found: Found & { readonly shownSources: readonly Source[] };
  readonly references: ReadonlyMap<string, SourceReference>;
  readonly endpoints: ReadonlyMap<string, EndpointBody>;
  /** Called after each step; `shown` is what has to be entered elsewhere, such as a signing key. */
  readonly done: (step: Step, shown?: string) => void;
}

const removals = {
  account: "DELETE /accounts/{id}",
  webhook: "DELETE /webhooks/{id}",
  source: "DELETE /sources/{id}",
} as const;

/** Makes the changes of a plan, one request after the other. */
class Applying {
  readonly #parts: ApplyParts;
  /** Ids of what exists now, by kind and name. */
  readonly #ids = new Map<string, string>();

  constructor(parts: ApplyParts) {
    this.#parts = parts;
    const { found } = parts;
    for (const { id, name } of found.accounts) if (name !== null) this.#ids.set(`account ${name}`, id);
    for (const { id, name } of found.webhooks) if (name !== null) this.#ids.set(`webhook ${name}`, id);
    for (const { id, name_slug: slug } of found.sources) this.#ids.set(`source ${slug}`, id);
    this.#noteWorkflows(found.workflows);
  }

  idOf(kind: string, name: string): string | undefined {
    return this.#ids.get(`${kind} ${name}`);
  }

  /** Makes one step; resolves with what has to be entered elsewhere. */
  async make({ kind, name, action, id }: Step): Promise<string | undefined> {
    if (action === "remove" && id !== undefined) await this.#remove(kind, id);
    else if (kind === "account") await this.#putAccount(name, id);
    else if (kind === "endpoint") return this.#putEndpoint(name, id);
    else if (kind === "webhook") return this.#putWebhook(name, id);
    else if (kind === "source") await this.#putSource(name, id);
    else await this.#subscribe(name);
    return undefined;
  }

  async #remove(kind: Step["kind"], id: string): Promise<void> {
    const { client, found } = this.#parts;
    if (kind === "endpoint") {
      await client.ask("DELETE /apps/{app}/endpoint", { path: { app: id } });
      return;
    }
    if (kind !== "subscription") {
      await client.ask(removals[kind], { path: { id } });
      return;
    }
    const { emitter_id, listener_id, event_name } = found.subscriptions.find((each) => each.id === id) ?? {};
    await client.ask("DELETE /subscriptions", { body: { emitter_id, listener_id, event_name } });
  }

  async #putAccount(name: string, id: string | undefined): Promise<void> {
    const { client, config } = this.#parts;
    const { app = "", auth = {} } = config.accounts.find((each) => each.name === name) ?? {};
    if (id !== undefined) await client.ask("PUT /accounts/{id}", { path: { id }, body: { auth } });
    else this.#note("account", name, await client.ask("POST /accounts", { body: { app, name, auth } }));
  }

  async #putEndpoint(app: string, id: string | undefined): Promise<string | undefined> {
    const { client, endpoints } = this.#parts;
    const { endpoint_url: url } = await client.ask("PUT /apps/{app}/endpoint", {
      path: { app },
      body: endpoints.get(app),
    });
    this.#note("endpoint", app, { id: app });
    return id === undefined ? url : undefined;
  }

  async #putWebhook(name: string, id: string | undefined): Promise<string | undefined> {
    const { client, config } = this.#parts;
    const { url, description = null, format } = config.webhooks.find((each) => each.name === name) ?? {};
    if (id !== undefined) {
      await client.ask("PUT /webhooks/{id}", { path: { id }, body: { url, description, format } });
      return undefined;
    }
    const body = { url, name, format, ...(description !== null && { description }) };
    const made = await client.ask("POST /webhooks", { body });
    this.#note("webhook", name, made);
    return `signing key ${made.signing_key} (shown once)`;
  }

  async #putSource(name: string, id: string | undefined): Promise<void> {
    const { client, config, found, references } = this.#parts;
    const wanted = config.sources.find((each) => each.name === name);
    if (!wanted) return;
    const known = accountId(found.accounts);
    const { ids: accounts } = wantedAccounts(wanted, (account) => this.idOf("account", account) ?? known(account));
    const before = found.shownSources.find((each) => each.id === id);
    const body = { ...references.get(name), configured_props: wantedProps(wanted, before), accounts };
    if (id !== undefined) {
      await client.ask("PATCH /sources/{id}", { path: { id }, body: { ...body, active: wanted.active } });
      return;
    }
    // By name: the service may still be making it for an apply that was killed.
    const made = await client.ask("POST /sources", {
      body: { ...body, name, if_exists: "update", emit_on_deploy: wanted.emitOnDeploy },
    });
    this.#note("source", name, made);
    if (!wanted.active) await client.ask("PATCH /sources/{id}", { path: { id: made.id }, body: { active: false } });
  }

  async #subscribe(name: string): Promise<void> {
    const { client, config } = this.#parts;
    const { from = "", to = "", stream } = config.subscriptions.find((each) => subscriptionName(each) === name) ?? {};
    const body = { emitter_id: await this.#end(from), listener_id: await this.#end(to), event_name: stream };
    this.#note("subscription", name, await client.ask("POST /subscriptions", { body }));
  }

  #findEnd(name: string): string | undefined {
    return ["source", "webhook", "workflow"].map((kind) => this.idOf(kind, name)).find((id) => id !== undefined);
  }

  /** The id of a source, webhook or workflow; a glob stands for itself. */
  async #end(name: string): Promise<string> {
    const known = this.#findEnd(name);
    if (known !== undefined || globs.has(name)) return known ?? name;
    // The service may have registered it since the plan was made.
    this.#noteWorkflows(await this.#parts.client.list("GET /users/me/workflows", {}));
    const found = this.#findEnd(name);
    if (found !== undefined) return found;
    const error = `no source, webhook or workflow has the id or name "${name}"; for one of the workflows, start x serve with this config`;
    throw new ServiceError({ error, code: "not_found", details: {} });
  }

  #noteWorkflows(workflows: readonly Pick<Workflow, "id" | "name" | "name_slug">[]): void {
    for (const { id, name, name_slug: slug } of workflows)
      for (const each of [id, slug, name]) this.#ids.set(`workflow ${each}`, id);
  }

  #note(kind: string, name: string, { id }: { readonly id: string }): void {
    this.#ids.set(`${kind} ${name}`, id);
  }
}

/** The record with the ids of what was made, and fingerprints of the secrets that were set. */
function finalRecord(plan: Plan, { config, endpoints }: ApplyParts, applying: Applying): ProjectResource[] {
  const isSet = ({ kind, name }: ProjectResource): boolean =>
    plan.steps.some((step) => step.kind === kind && step.name === name && step.action !== "remove");
  return plan.record.map((each) => {
    const endpoint = each.kind === "endpoint" && isSet(each) && endpoints.get(each.name);
    const account = each.kind === "account" && isSet(each) && config.accounts.find(({ name }) => name === each.name);
    return {
      ...each,
      id: each.id ?? applying.idOf(each.kind, each.name) ?? null,
      ...(endpoint && { fingerprint: makeFingerprint(endpoint) }),
      ...(account && account.auth && { fingerprint: makeFingerprint(account.auth) }),
    };
  });
}

/** The problems of a source by their paths in the config; where an account's name stands among its values, with what to write instead. */
function inConfig(errors: readonly Problem[], name: string, { config, found }: ApplyParts): Problem[] {
  const values = config.sources.find((each) => each.name === name)?.props ?? {};
  const names = new Set<unknown>([...config.accounts, ...found.accounts].map((account) => account.name));
  return errors.map(({ path, message }) => {
    const prop = path.split("/").at(-1) ?? "";
    const isAccount = message.includes("authProvisionId") && names.has(values[prop]);
    const hint = `; write accounts: ${JSON.stringify({ [prop]: values[prop] })} beside props`;
    const place = path.replace(/^\/(?:configured_)?props\//, `sources.${name}.props.`);
    return { path: place, message: isAccount ? message + hint : message };
  });
}

/** A refusal with the step that it ended. */
function ofStep(error: unknown, { action, kind, name }: Step, parts: ApplyParts): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, details } = error;
  const errors = kind === "source" && details.errors && inConfig(details.errors, name, parts);
  const more = errors ? { details: { ...details, errors } } : { details };
  return new ServiceError({ error: `${action} ${kind} "${name}": ${error.message}`, code, ...more });
}

/**
 * Applies a plan. If it is killed at any moment, the next plan finishes it: what is about to be made is recorded first, no step
 * has a further effect when it is repeated, and the record is complete after the last one.
 */
export async function applyPlan(plan: Plan, parts: ApplyParts): Promise<void> {
  const { client, config, found, done } = parts;
  const path = { name: config.project };
  let { revision } = found.project;
  const write = async (resources: readonly ProjectResource[]): Promise<void> => {
    ({ revision } = await client.ask("PUT /projects/{name}", { path, body: { revision, resources } }));
  };
  // The service registers the workflows of its config at this write, which changes nothing when the record is the same.
  if (plan.intents || config.workflows.length > 0) await write(plan.intents ?? found.project.resources);
  const applying = new Applying(parts);
  for (const step of plan.steps) {
    const shown = await applying.make(step).catch((error: unknown) => {
      throw ofStep(error, step, parts);
    });
    done(step, shown);
  }
  if (plan.steps.length > 0 || plan.recordChanges) await write(finalRecord(plan, parts, applying));
}
