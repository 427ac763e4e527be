import { createHash, randomBytes } from "node:crypto";

import type { Runtime, User } from "@x/runtime";

/** A signed-in page. */
export interface Session {
  /** The bearer key of the session. */
  readonly key: string;
  readonly user: User;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** What a sign-in link has. */
export interface SignInToken {
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** What signs in. */
export type SignIn = { readonly token: string } | { readonly apiKey: string };

export interface SessionParts {
  readonly runtime: Pick<Runtime, "authenticate" | "user" | "peers">;
  readonly now: () => number;
}

/**
 * The sessions of one service, in memory; with several nodes each has those of all. A session acts with the API key of its
 * user, and ends with that key.
 */
export interface Sessions {
  /** A token that signs in the first user, once, for half an hour. `told` resolves when all nodes know it. */
  issueToken(): SignInToken & { readonly told: Promise<unknown> };
  /** Signs in with a token or an API key; undefined when it is not valid. */
  signIn(given: SignIn): Promise<Session | undefined>;
  /** The user of a session; undefined for other keys and ended sessions. */
  authenticate(sessionKey: string): Promise<User | undefined>;
  signOut(sessionKey: string): Promise<void>;
}

/** What a session key begins with; API keys have no underscore there. */
const prefix = "xs_";

/** True for the key of a session, whether or not it is valid. */
export const isSessionKey = (key: string): boolean => key.startsWith(prefix);

const tokenMs = 30 * 60_000;
const sessionMs = 12 * 3_600_000;
const maxTokens = 100;
const maxSessions = 1_000;

interface Entry {
  readonly apiKey: string;
  readonly expiresAt: number;
}

/** What changes on all nodes. */
type Change =
  | { readonly op: "session"; readonly id: string; readonly entry: Entry }
  | { readonly op: "token"; readonly id: string; readonly expiresAt: number }
  | { readonly op: "end"; readonly id: string };

/** Keys are kept as digests: a look-up takes the same time for every wrong key. */
const digest = (key: string): string => createHash("sha256").update(key).digest("base64url");
const newKey = (): string => randomBytes(24).toString("base64url");

export function createSessions({ runtime, now }: SessionParts): Sessions {
  const tokens = new Map<string, number>();
  const sessions = new Map<string, Entry>();

  function dropOldest(map: Map<string, unknown>, most: number): void {
    for (const oldest of map.keys()) {
      if (map.size < most) return;
      map.delete(oldest);
    }
  }

  function apply(change: Change): void {
    const { id } = change;
    if (change.op === "session") {
      dropOldest(sessions, maxSessions);
      sessions.set(id, change.entry);
    } else if (change.op === "token") {
      dropOldest(tokens, maxTokens);
      tokens.set(id, change.expiresAt);
    } else {
      sessions.delete(id);
      tokens.delete(id);
    }
  }

  const { peers } = runtime;
  peers?.onTold("sessions.change", async (change) => apply(change as Change));
  peers?.onTold("sessions.all", async () => [
    ...[...sessions].map(([id, entry]): Change => ({ op: "session", id, entry })),
    ...[...tokens].map(([id, expiresAt]): Change => ({ op: "token", id, expiresAt })),
  ]);
  const learnt = peers?.tell("sessions.all", null).then(
    (answers) => (answers as Change[][]).flat().forEach(apply),
    // Who signed in elsewhere signs in again.
    () => undefined,
  );

  async function change(made: Change): Promise<void> {
    apply(made);
    await peers?.tell("sessions.change", made);
  }

  /** True for a token that was issued, is not old and was not used. */
  async function take(token: string): Promise<boolean> {
    await learnt;
    const id = digest(token);
    const expiresAt = tokens.get(id);
    if (expiresAt === undefined) return false;
    await change({ op: "end", id });
    return now() < expiresAt;
  }

  async function userOf(given: SignIn): Promise<User | undefined> {
    if ("apiKey" in given) return isSessionKey(given.apiKey) ? undefined : runtime.authenticate(given.apiKey);
    if (!(await take(given.token))) return undefined;
    const { user } = await runtime.user();
    return user;
  }

  return {
    issueToken() {
      const token = newKey();
      const expiresAt = now() + tokenMs;
      const told = change({ op: "token", id: digest(token), expiresAt });
      told.catch(() => undefined);
      return { token, expiresAt, told };
    },
    async signIn(given) {
      const user = await userOf(given);
      if (!user) return undefined;
      const key = `${prefix}${newKey()}`;
      const expiresAt = now() + sessionMs;
      await change({ op: "session", id: digest(key), entry: { apiKey: user.apiKey, expiresAt } });
      return { key, user, expiresAt };
    },
    async authenticate(sessionKey) {
      await learnt;
      const id = digest(sessionKey);
      const entry = sessions.get(id);
      if (!entry) return undefined;
      const user = now() < entry.expiresAt ? await runtime.authenticate(entry.apiKey) : undefined;
      if (!user) sessions.delete(id);
      return user;
    },
    signOut: (sessionKey) => change({ op: "end", id: digest(sessionKey) }),
  };
}
