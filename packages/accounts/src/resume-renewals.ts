import { listItems, type Store } from "@x/store";
import type { Renewals } from "./renewals.ts";

/**
 * Attempts again the renewals that a former process began, and of which it did not learn the outcome: a server that voids a
 * refresh token at its first use then refuses it, and the account is marked before a run needs it. Does not reject.
 */
export async function resumeRenewals(
  userIds: readonly string[],
  { store, renewals }: { readonly store: Pick<Store, "accounts">; readonly renewals: Pick<Renewals, "resume"> },
): Promise<void> {
  try {
    for (const userId of userIds)
      for await (const account of listItems((page) => store.accounts(userId, page))) await renewals.resume(account);
  } catch {
    // The store has been closed, or cannot be read: a run finds out.
  }
}
