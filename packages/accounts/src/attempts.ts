import { timingSafeEqual } from "node:crypto";

import type { Connection } from "./contract.ts";
import { newId, type AccountApp, type Clock } from "@x/model";
import type { ServerClient } from "./oauth/server.ts";
import { createAttemptWaits } from "./attempt-waits.ts";

/** What somebody wants to connect. */
export interface Wanted {
  readonly userId: string;
  readonly app: AccountApp;
  readonly server?: ServerClient;
  /** Connected again. */
  readonly accountId?: string;
  readonly name?: string | null;
  readonly fields: { readonly [name: string]: string };
}

/** An account that is being connected. */
export interface Attempt extends Wanted {
  readonly id: string;
  /** As its user sees it now. */
  connection: Connection;
}

/** What an authorization response has to match. */
interface Request {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
}

/** What a person is asked for. */
interface Asked {
  readonly url: string;
  /** Absent when no redirect comes. */
  readonly request?: Request;
  readonly userCode?: string;
  readonly expiresInSeconds?: number;
}

/** Attempts to connect accounts, in memory: no code verifier is ever on disk, and a restart ends them. */
export interface Attempts {
  create(wanted: Wanted): Attempt;
  /** The attempt waits for a person. */
  ask(attempt: Attempt, asked: Asked): Connection;
  /** The attempt with this state, once, and only for its user. Undefined for other states, and after their time. */
  take(state: string, userId: string | undefined): { readonly attempt: Attempt; readonly request: Request } | undefined;
  end(attempt: Attempt, outcome: { readonly accountId: string } | { readonly error: string }): Connection;
  drop(attempt: Attempt): void;
  find(id: string): Attempt | undefined;
  isOpen(attempt: Attempt): boolean;
  /** Calls `work` at this time, unless the attempt has ended. */
  wake(attempt: Attempt, at: number, work: () => void): void;
  /** Resolves when the attempt has ended, or after some seconds. */
  settled(attempt: Attempt): Promise<void>;
  close(): void;
}

const lifetimeMs = 10 * 60_000;
const longestLifetimeSeconds = 30 * 60;
const maxPerUser = 50;

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const newConnection = (id: string, app: string, expiresAt: number): Connection => ({
  id,
  app,
  status: "pending",
  authorizeUrl: null,
  redirectUri: null,
  userCode: null,
  expiresAt,
  accountId: null,
  error: null,
});

/** The connection of an attempt that nobody agreed to in time. */
const expired = (connection: Connection): Connection => ({
  ...connection,
  status: "failed",
  error: "nobody agreed in time",
});

export function createAttempts(clock: Clock): Attempts {
  const attempts = new Map<string, Attempt>();
  const requests = new Map<string, Request>();
  const waits = createAttemptWaits(clock);

  function release(id: string): void {
    waits.release(id);
    requests.delete(id);
  }
  function drop({ id }: Attempt): void {
    attempts.delete(id);
    release(id);
  }
  const isOver = ({ connection }: Attempt): boolean => clock.now() >= connection.expiresAt;
  const isOpen = (attempt: Attempt): boolean =>
    attempts.get(attempt.id) === attempt && attempt.connection.status === "pending" && !isOver(attempt);
  /** Forgets what is over, and the oldest of a user with many. */
  function makeRoom(userId: string): void {
    for (const attempt of attempts.values()) if (isOver(attempt)) drop(attempt);
    const own = [...attempts.values()].filter((attempt) => attempt.userId === userId);
    for (const attempt of own.slice(0, Math.max(0, own.length - maxPerUser + 1))) drop(attempt);
  }

  return {
    drop,
    isOpen,
    create(wanted) {
      makeRoom(wanted.userId);
      const id = newId("con");
      const attempt: Attempt = {
        ...wanted,
        id,
        connection: newConnection(id, wanted.app.slug, clock.now() + lifetimeMs),
      };
      attempts.set(id, attempt);
      return attempt;
    },
    ask(attempt, { url, request, userCode, expiresInSeconds }) {
      if (request) requests.set(attempt.id, request);
      const seconds = expiresInSeconds === undefined ? undefined : Math.min(longestLifetimeSeconds, expiresInSeconds);
      attempt.connection = {
        ...attempt.connection,
        authorizeUrl: url,
        redirectUri: request?.redirectUri ?? null,
        userCode: userCode ?? null,
        ...(seconds !== undefined && { expiresAt: clock.now() + seconds * 1_000 }),
      };
      return attempt.connection;
    },
    take(state, userId) {
      // Every state is compared: how long it takes says nothing of them.
      const [found] = [...requests].filter(([, request]) => isSame(request.state, state));
      const attempt = found && attempts.get(found[0]);
      if (!attempt || !isOpen(attempt) || (userId !== undefined && attempt.userId !== userId)) return undefined;
      requests.delete(attempt.id);
      return { attempt, request: found[1] };
    },
    end(attempt, outcome) {
      attempt.connection = {
        ...attempt.connection,
        ...("error" in outcome
          ? { status: "failed", error: outcome.error }
          : { status: "connected", accountId: outcome.accountId }),
        // Its user reads the outcome later.
        expiresAt: clock.now() + lifetimeMs,
      };
      release(attempt.id);
      return attempt.connection;
    },
    find(id) {
      const attempt = attempts.get(id);
      if (attempt?.connection.status === "pending" && isOver(attempt)) {
        attempt.connection = expired(attempt.connection);
        release(id);
      }
      return attempt;
    },
    wake: ({ id }, at, work) => waits.wake(id, at, work),
    settled: (attempt) => (isOpen(attempt) ? waits.wait(attempt.id) : Promise.resolve()),
    close() {
      for (const id of attempts.keys()) release(id);
      attempts.clear();
    },
  };
}
