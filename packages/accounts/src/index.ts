export { validateApp } from "./account-input.ts";
export { type AccountRecords, createAccountRecords } from "./account-records.ts";
export { accountId } from "./account-use.ts";
export { type Accounts, createAccounts, type CredentialsRequest } from "./accounts.ts";
export { type Apps, createApps, listServices } from "./apps.ts";
export { type Connections, createConnections } from "./connections.ts";
export type {
  AccountChange,
  AccountFilter,
  AccountsCallback,
  AccountView,
  AppView,
  ConnectInput,
  Connection,
  NewAccount,
  NewApp,
  NewOAuthClient,
  OAuthClientView,
  ServiceView,
} from "./contract.ts";
export { resumeRenewals } from "./resume-renewals.ts";
export { createOAuthProtocol } from "./oauth/protocol.ts";
export { createRenewals, type Renew, type Renewals } from "./renewals.ts";
export { type Renewed, renewingFetch } from "./renewing-fetch.ts";
export { revokeTokens } from "./revocation.ts";
