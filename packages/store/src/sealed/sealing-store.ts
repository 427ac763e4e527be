import { LRUCache } from "lru-cache";

import {
  XError,
  type Account,
  type AccountApp,
  type AccountIdentity,
  type AppEndpoint,
  type Paged,
  type Source,
  type User,
  type Webhook,
} from "@x/model";
import type { Change, Store, StoredTransition } from "../contract.ts";
import { identityOf } from "../rows/account-identity.ts";
import type { Seal, SecretOwner } from "./seal.ts";
import { createSealedCluster } from "./sealed-cluster.ts";

/** Converts a record to its sealed form and back. Both have the same type, because the inner store accepts no other. */
export interface Sealer<T> {
  close(record: T): T;
  /** Throws `secret_damaged` unless the secrets belong to this record. */
  open(record: T): T;
}

/** Replaces an object of secrets. */
interface SealedObject {
  readonly $sealed: string;
}

/** Decrypted props of a source. */
interface OpenedProps {
  readonly sealed: string;
  readonly userId: string;
  readonly props: Source["configuredProps"];
}

const cacheBytes = 8 * 1024 * 1024;

/** The sealers of all records with secrets. */
export interface Sealers {
  readonly user: Sealer<User>;
  /** `forget`: a source was deleted. */
  readonly source: Sealer<Source> & { forget(id: string): void };
  readonly transition: Sealer<StoredTransition>;
  readonly webhook: Sealer<Webhook>;
  readonly account: Sealer<Account>;
  readonly app: Sealer<AccountApp>;
  readonly app_endpoint: Sealer<AppEndpoint>;
}

/** Makes the sealers of a key. */
export function createSealers(seal: Seal): Sealers {
  const open = (sealed: string, owner: SecretOwner): string => {
    const text = seal.open(sealed, owner);
    if (text === undefined) throw new XError("secret_damaged", [owner[0] ?? "", owner[1] ?? ""]);
    return text;
  };
  const closeObject = (value: object, owner: SecretOwner): SealedObject => ({
    $sealed: seal.close(JSON.stringify(value), owner),
  });
  const openObject = <T>(sealed: object, owner: SecretOwner): T =>
    JSON.parse(open((sealed as SealedObject).$sealed, owner)) as T;

  // Every request to an endpoint reads its source. The sealed text differs after every change.
  const openedProps = new LRUCache<string, OpenedProps>({
    maxSize: cacheBytes,
    sizeCalculation: ({ sealed }) => 4 * sealed.length + 256,
  });
  function openProps(source: Source): Source["configuredProps"] {
    const { $sealed: sealed } = source.configuredProps as object as SealedObject;
    const known = openedProps.get(source.id);
    if (known && known.sealed === sealed && known.userId === source.userId) return known.props;
    const props = openObject<Source["configuredProps"]>(source.configuredProps, ofSource(source));
    openedProps.set(source.id, { sealed, userId: source.userId, props });
    return props;
  }

  const ofUser = ({ id }: User): SecretOwner => ["user", id];
  // With the user: a record whose user was replaced does not open.
  const of =
    (kind: "source" | "webhook" | "account") =>
    ({ id, userId }: { readonly id: string; readonly userId: string }): SecretOwner => [kind, id, userId];
  const ofTransition = ({ id, userId }: Source): SecretOwner => ["transition", id, userId];
  const ofApp = ({ slug, userId }: Pick<AccountApp, "slug" | "userId">): SecretOwner => ["app", slug, userId];
  const [ofSource, ofWebhook, ofAccount] = [of("source"), of("webhook"), of("account")];

  return {
    user: {
      close: (user) => ({ ...user, apiKey: seal.close(user.apiKey, ofUser(user)) }),
      open: (user) => ({ ...user, apiKey: open(user.apiKey, ofUser(user)) }),
    },
    source: {
      close: (source) => ({
        ...source,
        configuredProps: { ...closeObject(source.configuredProps, ofSource(source)) },
      }),
      open: (source) => ({ ...source, configuredProps: openProps(source) }),
      forget: (id) => void openedProps.delete(id),
    },
    transition: {
      close(transition) {
        const { source } = transition;
        const configuredProps = { ...closeObject(source.configuredProps, ofTransition(source)) };
        return { ...transition, source: { ...source, configuredProps } };
      },
      open(transition) {
        const { source } = transition;
        const opened: Source["configuredProps"] = openObject(source.configuredProps, ofTransition(source));
        return { ...transition, source: { ...source, configuredProps: opened } };
      },
    },
    webhook: {
      close({ signingKey, previousKeys, ...webhook }) {
        const keys = JSON.stringify({ signingKey, previousKeys });
        return { ...webhook, signingKey: seal.close(keys, ofWebhook(webhook)), previousKeys: [] };
      },
      open: (webhook) => ({
        ...webhook,
        ...(JSON.parse(open(webhook.signingKey, ofWebhook(webhook))) as Pick<Webhook, "signingKey" | "previousKeys">),
      }),
    },
    account: {
      close: (account) => ({ ...account, auth: { ...closeObject(account.auth, ofAccount(account)) } }),
      open: (account) => ({ ...account, auth: openObject(account.auth, ofAccount(account)) }),
    },
    app_endpoint: {
      // The name of the scheme stays readable: an inspection, which has no key, tells of endpoints that verify nothing.
      close: (endpoint) => ({
        ...endpoint,
        verification: {
          scheme: endpoint.verification.scheme,
          secrets: [],
          ...closeObject(endpoint.verification, ofApp(endpoint)),
        },
      }),
      open: (endpoint) => ({ ...endpoint, verification: openObject(endpoint.verification, ofApp(endpoint)) }),
    },
    app: {
      close: (app) => ({ ...app, clientSecret: seal.close(app.clientSecret, ofApp(app)) }),
      open: (app) => ({ ...app, clientSecret: open(app.clientSecret, ofApp(app)) }),
    },
  };
}

const openPage = <T>(page: Paged<T>, sealer: Sealer<T>): Paged<T> => ({
  totalCount: page.totalCount,
  items: page.items.map((item) => sealer.open(item)),
});

/** Encrypts props, credentials and keys before they reach `inner`. Everything else passes through unchanged. */
export function createSealingStore(inner: Store, seal: Seal): Store {
  const { user, source, transition, webhook, account, app, app_endpoint: endpoint } = createSealers(seal);
  const digested = (identity: AccountIdentity): AccountIdentity => ({
    ...identity,
    fields: identity.fields.map(([name, value]) => [name, digestOf(identity.app, name, value)] as const),
  });
  const digestOf = (...field: readonly [app: string, name: string, value: string]): string =>
    seal.digest(JSON.stringify(field));
  const opened = <T>(record: T | undefined, sealer: Sealer<T>): T | undefined => record && sealer.open(record);
  /** Refuses a record that was copied over another one. */
  function openChecked<T extends { readonly id: string }>(
    id: string,
    record: T | undefined,
    sealer: Sealer<T>,
  ): T | undefined {
    if (record && record.id !== id) throw new XError("secret_damaged", ["record", id]);
    return opened(record, sealer);
  }

  /** Returns the same list when nothing in it is secret, as in commits of runs. */
  function closeChanges(changes: readonly Change[]): readonly Change[] {
    let closed: Change[] | undefined;
    for (const [index, change] of changes.entries()) {
      const sealed = closeChange(change);
      if (sealed === change) continue;
      closed ??= [...changes];
      closed[index] = sealed;
    }
    return closed ?? changes;
  }
  function closeChange(change: Change): Change {
    switch (change.op) {
      case "user.put":
        return { ...change, user: user.close(change.user), keyIndex: seal.digest(change.user.apiKey) };
      case "source.put":
        return { ...change, source: source.close(change.source) };
      case "transition.put":
        return { ...change, transition: transition.close(change.transition) };
      case "webhook.put":
        return { ...change, webhook: webhook.close(change.webhook) };
      case "account.put":
        return {
          ...change,
          account: account.close(change.account),
          identity: digested(change.identity ?? identityOf(change.account)),
        };
      case "account.identify":
        return { ...change, identity: digested(change.identity) };
      case "app_endpoint.put":
        return { ...change, endpoint: endpoint.close(change.endpoint) };
      case "app.put":
        return { ...change, app: app.close(change.app) };
      case "source.delete":
        source.forget(change.id);
        return change;
      default:
        return change;
    }
  }

  return {
    ...inner,
    ...(inner.cluster && { cluster: createSealedCluster(inner.cluster, seal) }),
    // Synchronous, so that commits stay in the order of their calls.
    commit: (changes) => inner.commit(closeChanges(changes)),
    user: async (id) => openChecked(id, await inner.user(id), user),
    users: async () => (await inner.users()).map((each) => user.open(each)),
    source: async (id) => openChecked(id, await inner.source(id), source),
    sourceBySlug: async (userId, slug) => opened(await inner.sourceBySlug(userId, slug), source),
    sourceByEndpoint: async (key) => opened(await inner.sourceByEndpoint(key), source),
    sources: async (...query) => openPage(await inner.sources(...query), source),
    transitions: async () => (await inner.transitions()).map((each) => transition.open(each)),
    recoverTransitions: async (slots) => (await inner.recoverTransitions(slots)).map((each) => transition.open(each)),
    webhook: async (id) => openChecked(id, await inner.webhook(id), webhook),
    webhooks: async (...query) => openPage(await inner.webhooks(...query), webhook),
    allWebhooks: async () => (await inner.allWebhooks()).map((each) => webhook.open(each)),
    account: async (id) => openChecked(id, await inner.account(id), account),
    accounts: async (...query) => openPage(await inner.accounts(...query), account),
    async app(userId, slug) {
      const found = await inner.app(userId, slug);
      if (found && (found.userId !== userId || found.slug !== slug)) throw new XError("secret_damaged", ["app", slug]);
      return opened(found, app);
    },
    appEndpoint: async (userId, slug) => opened(await inner.appEndpoint(userId, slug), endpoint),
    appEndpointByKey: async (key) => opened(await inner.appEndpointByKey(key), endpoint),
    appEndpoints: async (userId) => (await inner.appEndpoints(userId)).map((each) => endpoint.open(each)),
    async accountsWith(app, fields, userId) {
      const values = new Map(fields.map((field) => [digestOf(app, ...field), field]));
      const asked = [...values].map(([digest, [name]]) => [name, digest] as const);
      const found = await inner.accountsWith(app, asked, userId);
      return found.map(({ accountId, field }) => ({ accountId, field: values.get(field[1]) ?? field }));
    },
    apps: async (userId) => (await inner.apps(userId)).map((each) => app.open(each)),
  };
}
