import {
  type AccountRecords,
  createAccountRecords,
  type Accounts,
  createAccounts,
  type Apps,
  createApps,
  type Connections,
  createConnections,
  createRenewals,
  type Renew,
  type Renewals,
  revokeTokens,
  createOAuthProtocol,
} from "@x/accounts";
import type { Clock, Logger } from "@x/model";
import type { RuntimeOptions } from "../api/options.ts";
import type { Egress } from "../network/egress.ts";
import { createSharedConnections } from "../nodes/shared-connections.ts";
import { shareRenewals } from "../nodes/shared-renewals.ts";
import type { Store } from "@x/store";
import type { Node } from "./assemble-node.ts";

/** Accounts, and what connects them and keeps them connected. */
export interface AccountParts {
  readonly accounts: Accounts;
  readonly apps: Apps;
  readonly connections: Connections;
  readonly renewals: Renewals;
  readonly accountRecords: AccountRecords;
}

export interface AccountsBase {
  readonly options: RuntimeOptions;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly egress: Egress;
  readonly publicUrl: string;
  readonly node: Node | undefined;
  endpointUrl(key: string): string;
}

/** Authorization servers are reached by the rules for components: the network room is the only way out of the process. */
export function assembleAccounts(base: AccountsBase): AccountParts {
  const { options, store, clock, logger, egress, publicUrl, node } = base;
  const protocol = createOAuthProtocol((request, signal) => egress.fetch(request, signal));
  const records = createAccountRecords(store);
  const callbackUrl = `${publicUrl}/oauth/callback`;
  const apps = createApps({ store, clock, protocol, callbackUrl, endpointUrl: base.endpointUrl });
  const { serverOf } = apps;
  const wrap = node && ((own: Renew) => shareRenewals(own, node.router));
  const renewals = createRenewals({ records, clock, logger, protocol, serverOf, wrap });
  const accounts = createAccounts({
    store,
    clock,
    logger,
    records,
    renewals,
    callback: options.accounts,
    missingAccounts: options.missingAccounts,
    revoke: (account) => revokeTokens(account, { logger, protocol, serverOf }),
  });
  const connections = createConnections({ records, apps, clock, logger, protocol, callbackUrl });
  const shared = node ? createSharedConnections(connections, node) : connections;
  return { accounts, apps, connections: shared, renewals, accountRecords: records };
}
