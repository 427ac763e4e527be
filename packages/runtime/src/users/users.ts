import { timingSafeEqual } from "node:crypto";

import type { NewUser } from "../api/api.ts";
import type { Clock } from "../process/clock.ts";
import { createDispatcher } from "../process/dispatcher.ts";
import { XError } from "../model/errors.ts";
import { newApiKey, newId } from "../process/ids.ts";
import { sha256Hex } from "../process/sha256.ts";
import type { User, UserView } from "../model/model.ts";
import type { Store } from "../store/contract.ts";
import { validateNewUser } from "./user-input.ts";

export interface UsersParts {
  readonly store: Store;
  readonly clock: Clock;
  /** The first user's from now on. */
  readonly apiKey: string | undefined;
  /** A key has stopped working. */
  revoked(apiKey: string): void;
}

/** Local accounts. One is made when the store has none. */
export interface Users {
  /** The user who acts when nobody is named, and who manages the others: the oldest. */
  readonly first: User;
  authenticate(apiKey: string): User | undefined;
  /** Throws `not_found` for an id that nobody has. */
  existing(userId: string): User;
  view(userId: string): Promise<UserView>;
  /** Oldest first. */
  list(): readonly User[];
  /** Rejects with `username_taken`, `invalid_parameter`. */
  add(input: NewUser): Promise<User>;
  /** Gives a user, by id or username, a new key; the old one stops working. */
  rotateKey(idOrName: string): Promise<User>;
}

/** A quota that nobody reaches; the counters are real. */
const unlimited = Number.MAX_SAFE_INTEGER;

const digestOf = (apiKey: string): Buffer => Buffer.from(sha256Hex(apiKey), "hex");
const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export async function createUsers({ store, clock, apiKey, revoked }: UsersParts): Promise<Users> {
  const users = new Map<string, { readonly user: User; readonly digest: Buffer }>();
  // One change at a time, so that no name is given twice.
  const lane = createDispatcher();
  const remember = (user: User): void => void users.set(user.id, { user, digest: digestOf(user.apiKey) });

  function find(wanted: string): User | undefined {
    const byId = users.get(wanted)?.user;
    return byId ?? [...users.values()].find(({ user }) => user.username === wanted)?.user;
  }

  function authenticate(given: string): User | undefined {
    const wanted = digestOf(given);
    let found: User | undefined;
    // Every key is compared, in constant time: the answer's timing tells nothing.
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

  /** The oldest user, with the key that was given at start: it is this user's from then on. */
  async function settleFirst(known: User | undefined): Promise<User> {
    const owner = apiKey === undefined ? undefined : authenticate(apiKey);
    if (owner && owner !== known)
      throw new XError("invalid_options", ["apiKey", "a key of nobody else", `that of user ${owner.username}`]);
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
        // Ids count as names: whoever is named by one must not be another.
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
