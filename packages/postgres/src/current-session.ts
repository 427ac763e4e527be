import { type Logger, systemClock, XError } from "@x/runtime";

import { takenOver, unavailable } from "./failure.ts";
import { ReplacedError } from "./node-row.ts";
import type { Predecessor, Session } from "./session.ts";

export interface SessionParts {
  /** The first session. */
  readonly session: Session;
  /** Opens the next session. */
  readonly reopen: (before: Predecessor) => Promise<Session>;
  readonly logger: Logger;
  /** Others go on when this node cannot: what it refuses may be tried again, there or here. */
  readonly hasCluster: boolean;
  /** The next session is there, or none is. */
  readonly sessionChanged?: (session: Session | undefined) => void;
}

/** What the current session calls. */
export interface SessionEvents {
  /** True while a transaction is on its way. */
  isBusy(): boolean;
  /** A session is lost; another one follows, or `ended`. */
  lost(problem: XError): void;
  resumed(session: Session): void;
  /** No session follows. `lastBatch`: the last one that was committed, if it is known. */
  ended(error: XError, lastBatch: number | undefined): void;
}

/** The current session with the database. Opens the next one when it is lost, until another service has the schema. */
export interface CurrentSession {
  session(): Session | undefined;
  /** Why there is no session. */
  problem(): XError;
  /** Ends the session, which failed with `cause`, and opens the next one. */
  lose(session: Session, cause: unknown): void;
  /** Removes the node. If this fails, the end of the connection shows that it is gone. */
  leave(): Promise<void>;
  /** Ends for good. */
  end(error: XError): void;
}

/** Waits between attempts to connect again, in ms. */
const firstWaitMs = 100;
const longestWaitMs = 1_000;

/** Resolves with a session, or with why none follows; with undefined when it is aborted. */
async function connectAgain(
  before: Predecessor,
  { reopen, logger }: SessionParts,
  aborted: AbortSignal,
): Promise<Session | ReplacedError | undefined> {
  for (let wait = firstWaitMs; !aborted.aborted; wait = Math.min(2 * wait, longestWaitMs)) {
    try {
      return await reopen(before);
    } catch (error) {
      if (error instanceof ReplacedError) return error;
      logger.debug?.("PostgreSQL cannot be reached yet", { error: String(error) });
    }
    await pause(wait, aborted);
  }
  return undefined;
}

function pause(ms: number, aborted: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = systemClock.wakeAt(systemClock.now() + ms, resolve);
    aborted.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}

const replacedError = (cause: ReplacedError): XError =>
  new XError("store_failed", ["commit", "another service uses the schema"], { cause });

export function createCurrentSession(parts: SessionParts, events: SessionEvents): CurrentSession {
  const ending = new AbortController();
  let session: Session | undefined = parts.session;
  let problem: XError = unavailable(undefined);

  function lose(lost: Session, cause: unknown): void {
    if (session !== lost) return;
    session = undefined;
    problem = unavailable(cause);
    lost.end();
    parts.sessionChanged?.(undefined);
    parts.logger.warn("the connection to PostgreSQL was lost; connecting again", { error: String(cause) });
    events.lost(problem);
    void reconnect(lost);
  }

  function watch(watched: Session): void {
    void watched.lost.then((cause) => {
      // A transaction on its way fails by this, and knows best what its outcome may be.
      if (events.isBusy()) watched.end();
      else lose(watched, cause);
      return undefined;
    });
  }

  async function reconnect(lost: Session): Promise<void> {
    const next = await connectAgain(lost, parts, ending.signal);
    if (next instanceof ReplacedError) return end(replacedError(next), next.lastBatch);
    if (!next || ending.signal.aborted) return next?.end();
    session = next;
    watch(next);
    parts.sessionChanged?.(next);
    parts.logger.info("connected to PostgreSQL again");
    events.resumed(next);
  }

  function end(error: XError, lastBatch?: number): void {
    if (ending.signal.aborted) return;
    ending.abort();
    problem = parts.hasCluster && error.code === "store_failed" ? takenOver(error) : error;
    session?.end();
    session = undefined;
    parts.sessionChanged?.(undefined);
    events.ended(error, lastBatch);
  }

  const leave = async (): Promise<void> => {
    await session?.leave().catch(() => undefined);
  };

  watch(parts.session);
  return { session: () => session, problem: () => problem, lose, leave, end };
}
