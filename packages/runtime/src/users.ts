import { timingSafeEqual } from "node:crypto";

import type { UserView } from "./api.ts";
import type { Clock } from "./clock.ts";
import { XError } from "./errors.ts";
import { newApiKey, newId, sha256Hex } from "./ids.ts";
import type { User } from "./model.ts";
import type { Store } from "./store/contract.ts";

/** Local accounts. One is made when the store has none. */
export interface Users {
  /** The user who acts when nobody is named: the oldest. */
  readonly first: User;
  authenticate(apiKey: string): User | undefined;
  view(userId: string): Promise<UserView>;
}

/** A quota that nobody reaches; the counters are real. */
const unlimited = Number.MAX_SAFE_INTEGER;

export async function createUsers(parts: { store: Store; clock: Clock; apiKey: string | undefined }): Promise<Users> {
  const { store, clock, apiKey } = parts;
  const users = new Map((await store.users()).map((user) => [user.id, user]));
  let [first] = users.values();
  // A key given at start is the first user's from then on.
  if (!first || (apiKey !== undefined && first.apiKey !== apiKey)) {
    first = first
      ? { ...first, apiKey: apiKey ?? first.apiKey }
      : {
          id: newId("u"),
          username: "local",
          email: "local@localhost",
          apiKey: apiKey ?? newApiKey(),
          createdAt: clock.now(),
        };
    await store.commit([{ op: "user.put", user: first }]);
    users.set(first.id, first);
  }
  const digests = [...users.values()].map((user) => ({ user, digest: Buffer.from(sha256Hex(user.apiKey), "hex") }));

  return {
    first,
    authenticate(given) {
      const digest = Buffer.from(sha256Hex(given), "hex");
      let found: User | undefined;
      // Every key is compared, in constant time: the answer's timing tells nothing.
      for (const known of digests) if (timingSafeEqual(known.digest, digest)) found = known.user;
      return found;
    },
    async view(userId) {
      const user = users.get(userId);
      if (!user) throw new XError("not_found", ["user", userId]);
      const used = await store.usage(userId, new Date(clock.now()).toISOString().slice(0, 10));
      return {
        user,
        dailyComputeTimeQuota: unlimited,
        dailyComputeTimeUsed: used.computeMs,
        dailyInvocationsQuota: unlimited,
        dailyInvocationsUsed: used.invocations,
      };
    },
  };
}
