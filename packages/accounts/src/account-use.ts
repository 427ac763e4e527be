import { XError, pointer, type Account, type Component, type Json, type Problem, type Source } from "@x/model";

const maxNamed = 10;

/** A source whose deploy or update needs accounts. */
export interface AccountUse {
  readonly source: Source;
  readonly component: Component;
  /** True for a prop whose account this change sets. */
  isChosen(prop: string): boolean;
  /** Required props without an account are a problem, because the source is about to run. */
  readonly mustBeComplete?: true;
}

/** Returns the account id in the value of an app prop. */
export function accountId(value: Json | undefined): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const id = value["authProvisionId"];
  return typeof id === "string" ? id : undefined;
}

/** The fields of a source that errors show. */
export type NamedSource = Pick<Source, "id" | "name">;

/** The error for an account that sources use. */
export function inUse(id: string, sources: readonly NamedSource[]): XError {
  const named = sources.slice(0, maxNamed).map((source) => `${source.id} (${source.name})`);
  const rest = sources.length - named.length;
  const text = `${sources.length === 1 ? "source" : "sources"} ${named.join(", ")}${rest > 0 ? `, and ${rest} more` : ""}`;
  return new XError("account_in_use", [id, text], {
    details: { sources: sources.map(({ id, name }) => ({ id, name })) },
  });
}

/** The problem of an app prop with this account. It does not reveal whether another user has the account. */
export function problemOf(
  prop: { name: string; app: string; id: string },
  account: Account | undefined,
): Problem | undefined {
  if (account?.app === prop.app) return undefined;
  const wanted = `Prop "${prop.name}" needs an account of app "${prop.app}"`;
  const message = account
    ? `${wanted}; account "${prop.id}" is of app "${account.app}"`
    : `${wanted}; there is no account "${prop.id}" of that app`;
  return { path: `/props${pointer(prop.name)}`, message };
}

/** The problem of a required app prop without an account. */
export const missingAccount = (name: string, app: string): Problem => ({
  path: `/props${pointer(name)}`,
  message: `Prop "${name}" is missing; expected an account of app "${app}", as {"authProvisionId": "apn_…"}`,
});

/** Records which accounts the running deploys and updates use. */
export interface Holders {
  /** Records a use until the returned function is called. */
  hold(accountId: string, source: NamedSource): () => void;
  of(accountId: string): readonly NamedSource[];
}

export function createHolders(): Holders {
  const holders = new Map<string, Set<NamedSource>>();
  return {
    hold(id, source) {
      const held = holders.get(id) ?? new Set();
      // A new object, so that two changes of one source count twice.
      const holder = { id: source.id, name: source.name };
      holders.set(id, held.add(holder));
      return () => {
        held.delete(holder);
        if (held.size === 0 && holders.get(id) === held) holders.delete(id);
      };
    },
    of: (id) => [...(holders.get(id) ?? [])],
  };
}
