import { timingSafeEqual } from "node:crypto";

import type { NewUser, UserView } from "../api/api.ts";
import type { Clock } from "../process/clock.ts";
import { createDispatcher } from "../process/dispatcher.ts";
import { XError } from "../model/errors.ts";
import { newApiKey, newId } from "../process/ids.ts";
import { sha256Hex } from "../process/sha256.ts";
import type { BillingPeriod, User } from "../model/model.ts";
import type { Store } from "../store/contract.ts";

export interface UsersParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Becomes the first user's key. */
  readonly apiKey: string | undefined;
  /** Called when a key stops working. */
  revoked(apiKey: string): void;
}

/** The users of a store. Creates the first one in an empty store. */
export interface Users {
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
  return new XError("invalid_parameter", [name, expected, received], { details: { parameter: name, received } });
}

/** `RegExp.test` alone would accept the number 123. */
const matches = (rule: RegExp, value: unknown): boolean => typeof value === "string" && rule.test(value);

const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= latestMs;

function validateBilling({ periodStart, periodEnd }: BillingPeriod): BillingPeriod {
  if (isTime(periodStart) && isTime(periodEnd) && periodStart < periodEnd) return { periodStart, periodEnd };
  throw invalid("billing", periodRule, { periodStart, periodEnd });
}

/** Throws `invalid_parameter`. The email defaults to `<username>@localhost`. */
function validateNewUser(input: NewUser): Pick<User, "username" | "email" | "billing"> {
  // In paths, "me" is the authenticated user.
  if (!matches(username, input.username) || input.username === "me")
    throw invalid("username", usernameRule, input.username);
  const address = input.email ?? `${input.username}@localhost`;
  if (!matches(email, address)) throw invalid("email", "an email address", address);
  return {
    username: input.username,
    email: address,
    ...(input.billing && { billing: validateBilling(input.billing) }),
  };
}

const digestOf = (apiKey: string): Buffer => Buffer.from(sha256Hex(apiKey), "hex");
const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export async function createUsers({ store, clock, apiKey, revoked }: UsersParts): Promise<Users> {
  const users = new Map<string, { readonly user: User; readonly digest: Buffer }>();
  // One change at a time, so that names stay unique.
  const lane = createDispatcher();
  const remember = (user: User): void => void users.set(user.id, { user, digest: digestOf(user.apiKey) });

  function find(wanted: string): User | undefined {
    const byId = users.get(wanted)?.user;
    return byId ?? [...users.values()].find(({ user }) => user.username === wanted)?.user;
  }

  function authenticate(given: string): User | undefined {
    const wanted = digestOf(given);
    let found: User | undefined;
    // Compares every key in constant time, so that the timing reveals nothing.
    for (const { user, digest } of users.values()) if (timingSafeEqual(digest, wanted)) found = user;
    return found;
  }

  async function put(user: User): Promise<User> {
    await store.commit([{ op: "user.put", user }]);
    const before = users.get(user.id)?.user.apiKey;
    remember(user);
    if (before !== undefined && before !== user.apiKey) revoked(before);
    return user;
  }

  /** Returns the oldest user and gives them the key of the options. */
  async function settleFirst(known: User | undefined): Promise<User> {
    const owner = apiKey === undefined ? undefined : authenticate(apiKey);
    if (owner && owner !== known)
      throw new XError("invalid_options", ["apiKey", "a key that no other user has", `that of user ${owner.username}`]);
    if (known) return apiKey === undefined || owner ? known : put({ ...known, apiKey });
    const createdAt = clock.now();
    return put({
      id: newId("u"),
      username: "local",
      email: "local@localhost",
      apiKey: apiKey ?? newApiKey(),
      createdAt,
    });
  }

  function existing(userId: string): User {
    const user = users.get(userId)?.user;
    if (!user) throw new XError("not_found", ["user", userId]);
    return user;
  }

  for (const user of await store.users()) remember(user);
  const first = await settleFirst(users.values().next().value?.user);

  return {
    get first() {
      return users.get(first.id)?.user ?? first;
    },
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
    list: () => [...users.values()].map(({ user }) => user),
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
