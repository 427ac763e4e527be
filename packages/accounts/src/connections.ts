import type { AccountRecords } from "./account-records.ts";
import type { Apps } from "./apps.ts";
import { type Attempt, createAttempts } from "./attempts.ts";
import { checkRedirect, parseResponse, readWanted, refuse } from "./connect-input.ts";
import { storeConnected } from "./connected-account.ts";
import type { ConnectInput, Connection } from "./contract.ts";
import { XError, type AccountOAuth, type Clock, type Logger } from "@x/model";
import { OAuthFailure } from "./oauth/failure.ts";
import type { OAuthProtocol } from "./oauth/protocol.ts";
import type { ServerClient } from "./oauth/server.ts";
import type { Tokens } from "./oauth/token-answer.ts";

/** Connects accounts: with a person at a browser or another device, with a client's own rights, or with keys. */
export interface Connections {
  /** Rejects with `not_found`, `invalid_parameter`, `connect_failed`. */
  begin(input: ConnectInput, userId: string): Promise<Connection>;
  /** `wait`: resolves when it has ended, at the latest after some seconds. Rejects with `not_found`. */
  find(id: string, wait: boolean, userId: string): Promise<Connection>;
  /**
   * Ends a connection with the URL to which the authorization server sent the browser. Its state works once, and only for
   * the user who began. Without a user the state alone decides. Rejects with `not_found`, `connect_failed`.
   */
  complete(url: string, userId: string | undefined): Promise<Connection>;
  close(): void;
}

export interface ConnectionsParts {
  readonly records: AccountRecords;
  readonly apps: Apps;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly protocol: OAuthProtocol;
  /** Where authorization servers send browsers by default. */
  readonly callbackUrl: string;
}

/** Errors of the device flow after which it is asked again. */
const notYet: readonly string[] = ["authorization_pending", "slow_down", "network_failed"];
const slowerSeconds = 5;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The same for a state that was used, has expired, never was, or is another user's. */
const unknownState = (): XError =>
  new XError("not_found", [
    "connection",
    "of this state",
    "it was used before, has expired or was begun by somebody else; begin again",
  ]);

/** The error for callers; errors that are not the server's stay as they are. */
const shownError = (app: string, error: unknown): unknown =>
  error instanceof OAuthFailure
    ? new XError("connect_failed", [app, error.message], { details: { error: error.code } })
    : error;

export function createConnections(parts: ConnectionsParts): Connections {
  const { records, clock, logger, protocol, callbackUrl } = parts;
  const attempts = createAttempts(clock);

  /** Gets tokens, stores the account and notes the outcome for those who wait. */
  async function finish(
    attempt: Attempt,
    grant: AccountOAuth["grant"],
    get: () => Promise<Tokens | undefined>,
  ): Promise<Connection> {
    try {
      const tokens = await get();
      const account = await storeConnected(attempt, tokens && { tokens, grant }, { records, now: clock.now() });
      return attempts.end(attempt, { accountId: account.id });
    } catch (error) {
      attempts.end(attempt, { error: messageOf(error) });
      throw shownError(attempt.app.slug, error);
    }
  }

  async function askInBrowser(attempt: Attempt, server: ServerClient, given: unknown): Promise<Connection> {
    const redirectUri = given === undefined ? callbackUrl : checkRedirect(given);
    const { url, state, verifier } = await protocol.authorize(server, redirectUri);
    return attempts.ask(attempt, { url, request: { state, verifier, redirectUri } });
  }

  /** Asks the server again and again whether the person has agreed. */
  function pollDevice(attempt: Attempt, server: ServerClient, deviceCode: string, intervalSeconds: number): void {
    const ask = async (): Promise<void> => {
      const answer = await protocol.deviceTokens(server, deviceCode).then(
        (tokens) => ({ tokens }),
        (error: unknown) => ({ error }),
      );
      if (!attempts.isOpen(attempt)) return;
      const code = "error" in answer && answer.error instanceof OAuthFailure ? answer.error.code : undefined;
      if (code !== undefined && notYet.includes(code)) {
        pollDevice(attempt, server, deviceCode, intervalSeconds + (code === "slow_down" ? slowerSeconds : 0));
        return;
      }
      const get = (): Promise<Tokens> =>
        "tokens" in answer ? Promise.resolve(answer.tokens) : Promise.reject(answer.error);
      await finish(attempt, "device_code", get);
    };
    attempts.wake(attempt, clock.now() + intervalSeconds * 1_000, () => {
      ask().catch((error: unknown) =>
        logger.warn("an account was not connected", { app: attempt.app.slug, error: messageOf(error) }),
      );
    });
  }

  async function askAtDevice(attempt: Attempt, server: ServerClient): Promise<Connection> {
    if (server.deviceUrl === undefined) refuse("device", "false: the app has no address for devices", "true");
    const { deviceCode, userCode, expiresInSeconds, intervalSeconds, ...pages } =
      await protocol.authorizeDevice(server);
    const url = pages.verificationUriComplete ?? pages.verificationUri;
    const shown = attempts.ask(attempt, { url, userCode, expiresInSeconds });
    pollDevice(attempt, server, deviceCode, intervalSeconds);
    return shown;
  }

  return {
    async begin(input, userId) {
      const attempt = attempts.create(await readWanted(input, userId, parts));
      const { server } = attempt;
      if (!server) return finish(attempt, "authorization_code", () => Promise.resolve(undefined));
      if (server.grant === "client_credentials")
        return finish(attempt, "client_credentials", () => protocol.clientCredentials(server));
      try {
        return input.device
          ? await askAtDevice(attempt, server)
          : await askInBrowser(attempt, server, input.redirectUri);
      } catch (error) {
        attempts.drop(attempt);
        throw shownError(attempt.app.slug, error);
      }
    },
    async find(id, wait, userId) {
      const attempt = attempts.find(id);
      if (attempt?.userId !== userId) throw new XError("not_found", ["connection", id]);
      if (wait) await attempts.settled(attempt);
      return attempt.connection;
    },
    async complete(url, userId) {
      const response = parseResponse(url);
      const taken = attempts.take(response.get("state") ?? "", userId);
      const server = taken?.attempt.server;
      if (!taken || !server) throw unknownState();
      return finish(taken.attempt, "authorization_code", () =>
        protocol.exchange(server, { ...taken.request, response }),
      );
    },
    close: attempts.close,
  };
}
