import type { Account, Logger } from "@x/model";
import type { OAuthProtocol } from "./oauth/protocol.ts";
import { accessToken, refreshToken } from "./oauth/renewal.ts";
import type { ServerClient } from "./oauth/server.ts";

export interface RevocationParts {
  readonly logger: Logger;
  readonly protocol: Pick<OAuthProtocol, "revoke">;
  serverOf(account: Account): Promise<ServerClient | undefined>;
}

/**
 * Revokes the tokens of an account where its server offers that (RFC 7009): the refresh token, with which the server also
 * revokes the grant, else the access token. A server that fails does not keep the account from being deleted.
 */
export async function revokeTokens(account: Account, { logger, protocol, serverOf }: RevocationParts): Promise<void> {
  if (!account.oauth) return;
  const [refresh, access] = [refreshToken(account), accessToken(account)];
  const token = refresh ?? access;
  if (token === undefined) return;
  try {
    const server = await serverOf(account);
    if (server?.revokeUrl === undefined) return;
    await protocol.revoke(server, token, refresh === undefined ? "access_token" : "refresh_token");
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    logger.warn("the tokens of a deleted account were not revoked", {
      account: account.id,
      app: account.app,
      error: problem,
    });
  }
}
