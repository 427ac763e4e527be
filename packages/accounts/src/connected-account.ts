import type { AccountRecords } from "./account-records.ts";
import type { Wanted } from "./attempts.ts";
import { newId, type Account, type AccountOAuth } from "@x/model";
import { withTokens } from "./oauth/renewal.ts";
import type { Tokens } from "./oauth/token-answer.ts";

/** The tokens of a new account, and how it got them; absent for an account with keys. */
export interface Obtained {
  readonly tokens: Tokens;
  readonly grant: AccountOAuth["grant"];
}

/** The account with what was obtained for it, in place of what it had before. */
function connectedAccount(before: Account, wanted: Wanted, obtained: Obtained | undefined, now: number): Account {
  const { app, name, fields, server } = wanted;
  // What was known of the former tokens goes with them.
  const { oauth: _former, ...kept } = before;
  const auth = { ...fields, ...(app.oauth && { oauth_client_id: app.oauth.clientId }) };
  const base: Account = { ...kept, auth, updatedAt: now, ...(name !== undefined && { name }) };
  if (!obtained) return base;
  const { tokens, grant } = obtained;
  return withTokens(base, { ...tokens, scopes: tokens.scopes ?? server?.scopes ?? [] }, grant, now);
}

/** Stores a connected account: a new one, or in the place of the one that is connected again. */
export async function storeConnected(
  wanted: Wanted,
  obtained: Obtained | undefined,
  { records, now }: { readonly records: AccountRecords; readonly now: number },
): Promise<Account> {
  const { userId, app, accountId } = wanted;
  const put = async (before: Account): Promise<Account> => {
    const account = connectedAccount(before, wanted, obtained, now);
    await records.put(account);
    return account;
  };
  if (accountId !== undefined) return records.inLane(accountId, async () => put(await records.own(accountId, userId)));
  return put({ id: newId("apn"), userId, app: app.slug, name: null, auth: {}, createdAt: now, updatedAt: now });
}
