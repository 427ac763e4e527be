import { timingSafeEqual } from "node:crypto";

import type { NewUser, UserView } from "../api/api.ts";
import {
  XError,
  createDispatcher,
  newApiKey,
  newId,
  readEach,
  sha256Hex,
  type BillingPeriod,
  type Clock,
  type User,
} from "@x/model";
import type { Store } from "@x/store";

export interface UsersParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Becomes the first user's key. */
  readonly apiKey: string | undefined;
  /** Called when a key stops working. */
  revoked(apiKey: string): void;
  /** The first user waits for `settle`. */
  readonly settlesLater?: boolean;
}

/** The users of a store. Creates the first one in an empty store. */
export interface Users {
  /** True when the store has a first user, who has the key of the options if there is one. */
  readonly isSettled: boolean;
  /** Creates the first user, or gives them this key. */
  settle(apiKey: string | undefined): Promise<void>;
  /** Reads the users again. */
  reload(): Promise<void>;
  /** The oldest user: the default for calls without a user, and the manager of the others. */
  readonly first: User;
  authenticate(apiKey: string): User | undefined;
  /** Throws `not_found` for an unknown id. */
  existing(userId: string): User;
  view(userId: string): Promise<UserView>;
  /** Oldest first. */
  list(): readonly User[];
  /** Rejects with `username_taken`, `invalid_parameter`. */
  add(input: NewUser): Promise<User>;
  /** Gives a user a new key; the old one stops working. Rejects with `not_found`. */
  rotateKey(idOrName: string): Promise<User>;
}

/** There are no quotas; the counters are real. */
const unlimited = Number.MAX_SAFE_INTEGER;

const username = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const usernameRule = "1 to 64 of a-z, 0-9, dot, hyphen and underscore that begin with a letter or digit, and not me";
const email = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u;
/** The end of the year 9999: later days do not have the form `YYYY-MM-DD`. */
const latestMs = 253_402_300_799_999;
const periodRule = "a start and a later end in epoch milliseconds";

function invalid(name: string, expected: string, given: unknown): XError {
  const received = (JSON.stringify(given) ?? "nothing").slice(0, 100);
  return new XError("invalid_parameter", [name, expected, received], { details: { received } });
}

/** `RegExp.test` alone would accept the number 123. */
const matches = (rule: RegExp, value: unknown): boolean => typeof value === "string" && rule.test(value);

const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= latestMs;

function validateBilling({ periodStart, periodEnd }: BillingPeriod): BillingPeriod {
  if (isTime(periodStart) && isTime(periodEnd) && periodStart < periodEnd) return { periodStart, periodEnd };
  throw invalid("billing", periodRule, { periodStart, periodEnd });
}

function validateUsername(given: string): string {
  // In paths, "me" is the authenticated user.
  if (!matches(username, given) || given === "me") throw invalid("username", usernameRule, given);
  return given;
}

function validateEmail(given: string): string {
  if (!matches(email, given)) throw invalid("email", "an email address", given);
  return given;
}

/** Throws `invalid_parameter`. The email defaults to `<username>@localhost`. */
const validateNewUser = ({
  username: name,
  email: address,
  billing,
}: NewUser): Pick<User, "username" | "email" | "billing"> => {
  const checked = readEach({
    username: () => validateUsername(name),
    ...(address !== undefined && { email: () => validateEmail(address) }),
    ...(billing && { billing: () => validateBilling(billing) }),
  });
  return { email: `${name}@localhost`, ...checked };
};

const digestOf = (apiKey: string): Buffer => Buffer.from(sha256Hex(apiKey), "hex");
const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The users of the store, in memory. */
interface UserList {
  remember(user: User): void;
  all(): User[];
  byId(id: string): User | undefined;
  /** By id or name. */
  find(wanted: string): User | undefined;
  authenticate(apiKey: string): User | undefined;
  oldest(): User | undefined;
  reload(): Promise<void>;
}

function createUserList({ store, revoked }: Pick<UsersParts, "store" | "revoked">): UserList {
  const users = new Map<string, { readonly user: User; readonly digest: Buffer }>();
  const remember = (user: User): void => void users.set(user.id, { user, digest: digestOf(user.apiKey) });
  return {
    remember,
    all: () => [...users.values()].map(({ user }) => user),
    byId: (id) => users.get(id)?.user,
    find(wanted) {
      const byId = users.get(wanted)?.user;
      return byId ?? [...users.values()].find(({ user }) => user.username === wanted)?.user;
    },
    authenticate(given) {
      const wanted = digestOf(given);
      let found: User | undefined;
      // Compares every key in constant time, so that the timing reveals nothing.
      for (const { user, digest } of users.values()) if (timingSafeEqual(digest, wanted)) found = user;
      return found;
    },
    oldest: () => users.values().next().value?.user,
    async reload() {
      const found = await store.users();
      const before = [...users.values()];
      users.clear();
      for (const user of found) remember(user);
      for (const { user } of before) if (users.get(user.id)?.user.apiKey !== user.apiKey) revoked(user.apiKey);
    },
  };
}

export async function createUsers(parts: UsersParts): Promise<Users> {
  const { store, clock, apiKey, revoked } = parts;
  const users = createUserList(parts);
  const { find, authenticate, oldest, reload } = users;
  // One change at a time, so that names stay unique.
  const lane = createDispatcher();

  async function put(user: User): Promise<User> {
    await store.commit([{ op: "user.put", user }]);
    const before = users.byId(user.id)?.apiKey;
    users.remember(user);
    if (before !== undefined && before !== user.apiKey) revoked(before);
    return user;
  }

  /** Creates the oldest user, or gives them the given key. */
  async function settleFirst(apiKey: string | undefined): Promise<void> {
    const known = oldest();
    const owner = apiKey === undefined ? undefined : authenticate(apiKey);
    if (owner && owner !== known)
      throw new XError("invalid_options", ["apiKey", "a key that no other user has", `that of user ${owner.username}`]);
    if (known) {
      if (apiKey !== undefined && !owner) await put({ ...known, apiKey });
      return;
    }
    const createdAt = clock.now();
    await put({
      id: newId("u"),
      username: "local",
      email: "local@localhost",
      apiKey: apiKey ?? newApiKey(),
      createdAt,
    });
  }

  function existing(userId: string): User {
    const user = users.byId(userId);
    if (!user) throw new XError("not_found", ["user", userId]);
    return user;
  }

  await reload();
  if (!parts.settlesLater) await settleFirst(apiKey);

  return {
    get first() {
      const first = oldest();
      if (!first) throw new XError("not_found", ["user", "first"]);
      return first;
    },
    get isSettled() {
      const first = oldest();
      return first !== undefined && (apiKey === undefined || authenticate(apiKey) === first);
    },
    settle: (given) =>
      lane.run("", async () => {
        await reload();
        await settleFirst(given);
      }),
    reload,
    authenticate,
    existing,
    async view(userId) {
      const user = existing(userId);
      const today = await store.usage(userId, utcDay(clock.now()));
      const { billing } = user;
      const billed = billing && (await store.usage(userId, utcDay(billing.periodStart), utcDay(billing.periodEnd - 1)));
      return {
        user,
        dailyComputeTimeQuota: unlimited,
        dailyComputeTimeUsed: today.computeMs,
        dailyInvocationsQuota: unlimited,
        dailyInvocationsUsed: today.invocations,
        ...(billed && { billingPeriodInvocations: billed.invocations }),
      };
    },
    list: users.all,
    add: (input) =>
      lane.run("", async () => {
        const valid = validateNewUser(input);
        // A username must not equal the id of another user: `rotateKey` accepts both.
        if (find(valid.username)) throw new XError("username_taken", [valid.username]);
        return put({ id: newId("u"), ...valid, apiKey: newApiKey(), createdAt: clock.now() });
      }),
    rotateKey: (idOrName) =>
      lane.run("", async () => {
        const user = find(idOrName);
        if (!user) throw new XError("not_found", ["user", idOrName]);
        return put({ ...user, apiKey: newApiKey() });
      }),
  };
}
