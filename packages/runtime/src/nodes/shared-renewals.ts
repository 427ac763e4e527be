import type { Renew } from "@x/accounts";
import type { Account } from "@x/model";
import type { Router } from "./router.ts";

/** Renews the tokens of an account on one node: a server may make a refresh token void at its first use. */
export function shareRenewals(own: Renew, router: Router): Renew {
  const method = "accounts.renew";
  router.answer(method, ({ args: [id, token, isRejected] }) =>
    own(id as string, token as string | undefined, isRejected as boolean),
  );
  return (id, token, isRejected) =>
    router.call<Account | undefined>({ to: id, method, args: [id, token, isRejected] }, () =>
      own(id, token, isRejected),
    );
}
