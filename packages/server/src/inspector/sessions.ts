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
  readonly runtime: Pick<Runtime, "authenticate" | "user">;
  readonly now: () => number;
}

/** The sessions of one service, in memory. Each acts with the API key of its user, and ends with that key. */
export interface Sessions {
  /** A token that signs in the first user, once, for half an hour. */
  issueToken(): SignInToken;
  /** Signs in with a token or an API key; undefined when it is not valid. */
  signIn(given: SignIn): Promise<Session | undefined>;
  /** The user of a session; undefined for other keys and ended sessions. */
  authenticate(sessionKey: string): Promise<User | undefined>;
  signOut(sessionKey: string): void;
}

/** What a session key begins with; API keys have no underscore there. */
const prefix = "xs_";

/** True for the key of a session, whether or not it is valid. */
export const isSessionKey = (key: string): boolean => key.startsWith(prefix);

const tokenMs = 30 * 60_000;
const sessionMs = 12 * 3_600_000;
const mostTokens = 100;
const mostSessions = 1_000;

interface Entry {
  readonly apiKey: string;
  readonly expiresAt: number;
}

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

  /** True for a token that was issued, is not old and was not used. */
  function take(token: string): boolean {
    const expiresAt = tokens.get(digest(token));
    tokens.delete(digest(token));
    return expiresAt !== undefined && now() < expiresAt;
  }

  async function userOf(given: SignIn): Promise<User | undefined> {
    if ("apiKey" in given) return isSessionKey(given.apiKey) ? undefined : runtime.authenticate(given.apiKey);
    if (!take(given.token)) return undefined;
    const { user } = await runtime.user();
    return user;
  }

  return {
    issueToken() {
      dropOldest(tokens, mostTokens);
      const token = newKey();
      const expiresAt = now() + tokenMs;
      tokens.set(digest(token), expiresAt);
      return { token, expiresAt };
    },
    async signIn(given) {
      const user = await userOf(given);
      if (!user) return undefined;
      dropOldest(sessions, mostSessions);
      const key = `${prefix}${newKey()}`;
      const expiresAt = now() + sessionMs;
      sessions.set(digest(key), { apiKey: user.apiKey, expiresAt });
      return { key, user, expiresAt };
    },
    async authenticate(sessionKey) {
      const id = digest(sessionKey);
      const entry = sessions.get(id);
      if (!entry) return undefined;
      const user = now() < entry.expiresAt ? await runtime.authenticate(entry.apiKey) : undefined;
      if (!user) sessions.delete(id);
      return user;
    },
    signOut(sessionKey) {
      sessions.delete(digest(sessionKey));
    },
  };
}
