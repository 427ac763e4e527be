import type { Subscription } from "@x/client";
import type { Json, ProjectKind, ProjectResource } from "@x/runtime";

import type { Config, ConfiguredSubscription } from "./config.ts";
import type { Found } from "./found.ts";

/** One change of a field; a secret is shown as `{"__secret": true}`. */
export interface FieldChange {
  readonly field: string;
  readonly from?: Json;
  readonly to?: Json;
}

/** One thing to do, in one request. */
export interface Step {
  readonly action: "create" | "update" | "remove";
  readonly kind: ProjectKind;
  readonly name: string;
  /** Absent for a create. */
  readonly id?: string;
  readonly changes: readonly FieldChange[];
}

/** What brings a service to what the config says. */
export interface Plan {
  readonly steps: readonly Step[];
  /** What has to be written before the first step, so that a later apply knows what this one made; undefined: nothing. */
  readonly intents: readonly ProjectResource[] | undefined;
  /** The record after the last step, with null for ids that the steps make. */
  readonly record: readonly ProjectResource[];
  /** Whether the record differs from the stored one. */
  readonly recordChanges: boolean;
  /** Why the plan cannot be made. */
  readonly problems: readonly string[];
  /** What is not done, and not in the way. */
  readonly notes: readonly string[];
}

/** A resource of the config that may exist. */
interface Matched {
  readonly kind: ProjectKind;
  readonly name: string;
  /** Undefined: it has to be made. */
  readonly id: string | undefined;
  readonly changes: readonly FieldChange[];
}

export const subscriptionName = ({ from, to, stream }: ConfiguredSubscription): string =>
  `${from} -> ${to}${stream === "" ? "" : ` ${stream}`}`;

/** Every source and every workflow, as emitters. */
export const globs: ReadonlySet<string> = new Set(["dc_*", "p_*"]);

const unknown = Symbol("nothing has the name");

/** The id that a name stands for: undefined when it has to be made. */
function findEnd(name: string, config: Config, found: Found): string | typeof unknown | undefined {
  if (globs.has(name)) return name;
  const webhook = found.webhooks.find((each) => each.name === name);
  const source = found.sources.find(({ name_slug: slug }) => slug === name);
  const workflow = found.workflows.find((each) => [each.id, each.name_slug, each.name].includes(name));
  const id = source?.id ?? webhook?.id ?? workflow?.id;
  if (id !== undefined) return id;
  // A service that serves this config registers its workflows before the first step.
  const mayBeWorkflow = config.workflows.length > 0;
  const isMade = [...config.sources, ...config.webhooks].some((each) => each.name === name);
  return isMade || mayBeWorkflow ? undefined : unknown;
}

const sameStream = (found: string, wanted: string): boolean =>
  found === wanted || [found, wanted].every((each) => each === "" || each === "default");

function findSubscription(wanted: ConfiguredSubscription, config: Config, found: Found): Subscription | undefined {
  const [from, to] = [findEnd(wanted.from, config, found), findEnd(wanted.to, config, found)];
  return found.subscriptions.find(
    ({ emitter_id: emitter, listener_id: listener, event_name: stream }) =>
      emitter === from && listener === to && sameStream(stream, wanted.stream),
  );
}

/** Names that several resources have. */
const isTwice = (names: readonly (string | null)[], name: string): boolean =>
  names.filter((each) => each === name).length > 1;

function matchAccounts(config: Config, found: Found, problems: string[]): Matched[] {
  return config.accounts.map(({ name, app, auth }) => {
    const account = found.accounts.find((each) => each.name === name);
    if (
      isTwice(
        found.accounts.map((each) => each.name),
        name,
      )
    )
      problems.push(`several accounts have the name "${name}"; rename or remove all but one`);
    else if (account && account.app !== app)
      problems.push(`account "${name}" is one of the app ${account.app}, not of ${app}`);
    else if (!account && !auth)
      problems.push(`there is no account "${name}"; connect it, or give its credentials as auth`);
    const isSame = auth === undefined || found.sameCredentials.has(name);
    return { kind: "account", name, id: account?.id, changes: account && !isSame ? [{ field: "auth" }] : [] };
  });
}

const matchEndpoints = ({ endpoints }: Config, found: Found): Matched[] =>
  endpoints.map(({ name }) => {
    const isFound = found.endpoints.includes(name);
    const changes = isFound && !found.sameEndpoints.has(name) ? [{ field: "endpoint" }] : [];
    return { kind: "endpoint", name, id: isFound ? name : undefined, changes };
  });

const differing = (fields: readonly (readonly [string, Json | undefined, Json])[]): FieldChange[] =>
  fields.flatMap(([field, from = null, to]) => (from === to ? [] : [{ field, from, to }]));

function matchWebhooks(config: Config, found: Found, problems: string[]): Matched[] {
  return config.webhooks.map(({ name, url, description, format }) => {
    const webhook = found.webhooks.find((each) => each.name === name);
    if (
      isTwice(
        found.webhooks.map((each) => each.name),
        name,
      )
    )
      problems.push(`several webhooks have the name "${name}"; remove all but one`);
    const fields = [
      ["url", webhook?.url, url],
      ["description", webhook?.description, description],
      ["format", webhook?.format, format],
    ] as const;
    return { kind: "webhook", name, id: webhook?.id, changes: webhook ? differing(fields) : [] };
  });
}

function matchSources(config: Config, found: Found, problems: string[]): Matched[] {
  return config.sources.map(({ name, accounts }) => {
    for (const account of Object.values(accounts))
      if (
        ![...config.accounts, ...found.accounts].some(
          (each) => each.name === account || ("id" in each && each.id === account),
        )
      )
        problems.push(`source "${name}" needs the account "${account}", and nothing has that name`);
    const source = found.sources.find(({ name_slug: slug }) => slug === name);
    return { kind: "source", name, id: source?.id, changes: found.differences.get(name) ?? [] };
  });
}

function matchSubscriptions(config: Config, found: Found, problems: string[]): Matched[] {
  return config.subscriptions.map((wanted) => {
    const name = subscriptionName(wanted);
    for (const end of [wanted.from, wanted.to])
      if (findEnd(end, config, found) === unknown)
        problems.push(`subscription ${name}: no source, webhook or workflow has the id or name "${end}"`);
    return { kind: "subscription", name, id: findSubscription(wanted, config, found)?.id, changes: [] };
  });
}

const keyOf = ({ kind, name }: Pick<ProjectResource, "kind" | "name">): string => `${kind} ${name}`;

/** The names that a config may give an end of a subscription. */
const namesOfEnd = (id: string, found: Found): string[] => [
  id,
  ...found.sources.filter((each) => each.id === id).map((each) => each.name_slug),
  ...found.webhooks.filter((each) => each.id === id).flatMap(({ name }) => name ?? []),
  ...found.workflows.filter((each) => each.id === id).flatMap(({ name, name_slug: slug }) => [slug, name]),
];

const namesOfSubscription = (subscription: Subscription, found: Found): string[] =>
  namesOfEnd(subscription.emitter_id, found).flatMap((from) =>
    namesOfEnd(subscription.listener_id, found).map((to) =>
      subscriptionName({ from, to, stream: subscription.event_name }),
    ),
  );

/** The id of a resource that this project has made, or that an earlier apply was about to make and has. */
function findMade({ kind, name, id }: ProjectResource, found: Found): string | undefined {
  const lists: { readonly [each in ProjectKind]: readonly (readonly [string, string | null])[] } = {
    account: found.accounts.map((each) => [each.id, each.name]),
    endpoint: found.endpoints.map((slug) => [slug, slug]),
    webhook: found.webhooks.map((each) => [each.id, each.name]),
    source: found.sources.map((each) => [each.id, each.name_slug]),
    subscription: found.subscriptions.flatMap((each) =>
      namesOfSubscription(each, found).map((text) => [each.id, text] as const),
    ),
  };
  return lists[kind].find(([foundId, foundName]) => (id === null ? foundName === name : foundId === id))?.[0];
}

/** Steps remove what depends on others first. */
const removeOrder: readonly ProjectKind[] = ["subscription", "source", "webhook", "endpoint", "account"];

function removals(wanted: readonly Matched[], found: Found): Step[] {
  const kept = new Set(wanted.map(keyOf));
  const keptIds = new Set(wanted.map(({ id }) => id));
  const unwanted = found.project.resources.filter((each) => each.made && !kept.has(keyOf(each)));
  return removeOrder.flatMap((kind) =>
    unwanted.flatMap((each): Step[] => {
      const id = each.kind === kind ? findMade(each, found) : undefined;
      if (id === undefined || keptIds.has(id)) return [];
      return [{ action: "remove", kind, name: each.name, id, changes: [] }];
    }),
  );
}

/** The record of a resource after the plan. */
function recorded({ kind, name, id }: Matched, before: ProjectResource | undefined): ProjectResource {
  // Recorded under its id, or before it was made: then this project made it. Found otherwise: somebody else did.
  const isOwn = id === undefined || (before !== undefined && (before.id === null || before.id === id) && before.made);
  const fingerprint = before?.fingerprint ?? null;
  return { kind, name, id: id ?? null, made: isOwn, fingerprint };
}

const isSameResource = (a: ProjectResource, b: ProjectResource | undefined): boolean =>
  b !== undefined && a.id === b.id && a.made === b.made && a.fingerprint === b.fingerprint;

/** Works out how a service gets from what it has to what the config says. Pure. */
export function planChanges(config: Config, found: Found): Plan {
  const problems: string[] = [];
  const wanted = [
    ...matchAccounts(config, found, problems),
    ...matchEndpoints(config, found),
    ...matchWebhooks(config, found, problems),
    ...matchSources(config, found, problems),
    ...matchSubscriptions(config, found, problems),
  ];
  for (const { kind, name, id } of wanted) {
    const owner = id === undefined ? undefined : found.owners.get(id);
    if (owner !== undefined) problems.push(`${kind} "${name}" belongs to the project ${owner}, which has made it`);
  }
  const before = new Map(found.project.resources.map((each) => [keyOf(each), each]));
  const record = wanted.map((each) => recorded(each, before.get(keyOf(each))));
  const changes = wanted.flatMap(({ kind, name, id, changes: fields }): Step[] => {
    if (id === undefined) return [{ action: "create", kind, name, changes: [] }];
    return fields.length === 0 ? [] : [{ action: "update", kind, name, id, changes: fields }];
  });
  const toMake = record.filter(({ id }) => id === null);
  const isAnnounced = toMake.every((each) => before.get(keyOf(each))?.id === null);
  const kept = found.project.resources.filter((each) => !toMake.some((made) => keyOf(made) === keyOf(each)));
  const isKnown =
    record.length === before.size && record.every((each) => isSameResource(each, before.get(keyOf(each))));
  const notes =
    config.workflows.length === 0 ? [] : ["workflows are registered by the service, when x serve has this config"];
  return {
    steps: [...changes, ...removals(wanted, found)],
    intents: isAnnounced ? undefined : [...kept, ...toMake],
    record,
    recordChanges: !isKnown,
    problems,
    notes,
  };
}
