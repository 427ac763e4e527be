import type * as Rest from "@x/client";
import type { AccountOAuth, AccountView, Connection } from "@x/runtime";

import { record, type Schema, schemaRef, seconds, secondsOrNull, text, textOrNull, texts } from "./shapes.ts";
import { viewBy } from "./view.ts";

/** Schemas of accounts and of what connects them, by name. */
export const accountSchemas: Readonly<Record<"Account" | "AccountTokens" | "AccountProblem" | "Connection", Schema>> = {
  Account: {
    ...record(
      {
        id: text("Starts with `apn_`: the `authProvisionId` of app props."),
        app: text("Slug of the app."),
        name: textOrNull("Null when none was given."),
        created_at: seconds,
        updated_at: seconds,
        oauth: schemaRef("AccountTokens"),
      },
      ["oauth"],
    ),
    examples: [
      { id: "apn_4kQm81ZtRb", app: "acme", name: "Work", created_at: 1_795_200_000, updated_at: 1_795_200_000 },
    ],
  },
  AccountTokens: {
    ...record({
      grant: { type: "string", enum: ["authorization_code", "client_credentials", "device_code"] },
      scopes: texts,
      expires_at: secondsOrNull("Epoch seconds of the access token; null: it does not expire."),
      problem: { oneOf: [{ type: "null" }, schemaRef("AccountProblem")] },
    }),
    description: "What is known of the tokens of an authorization server.",
    examples: [{ grant: "authorization_code", scopes: ["read"], expires_at: 1_795_203_600, problem: null }],
  },
  AccountProblem: {
    ...record({
      code: text("The error of the server, such as `invalid_grant`."),
      message: { type: "string" },
      at: seconds,
      reconnect: { type: "boolean", description: "True when the account has to be connected again." },
    }),
    description: "Why the token could not be renewed.",
    examples: [
      { code: "invalid_grant", message: "the server answered invalid_grant", at: 1_795_203_600, reconnect: true },
    ],
  },
  Connection: {
    ...record({
      id: text("Starts with `con_`."),
      app: { type: "string" },
      status: { type: "string", enum: ["pending", "connected", "failed"] },
      authorize_url: textOrNull("Where the person agrees. Null when no person is needed."),
      redirect_uri: textOrNull("Where the authorization server sends the browser."),
      user_code: textOrNull("The code to type in, in the device flow."),
      expires_at: seconds,
      account_id: textOrNull("When it is connected."),
      error: textOrNull("Why it failed."),
    }),
    description: "One attempt to connect an account; it is forgotten after some minutes, and at a restart.",
    examples: [
      {
        id: "con_8dKq21LmXz",
        app: "acme",
        status: "pending",
        authorize_url: "https://auth.acme.example/authorize?response_type=code&client_id=the-client-id",
        redirect_uri: "https://events.example/oauth/callback",
        user_code: null,
        expires_at: 1_795_200_600,
        account_id: null,
        error: null,
      },
    ],
  },
};

/** An attempt to connect an account. */
export const viewConnection: (connection: Connection) => Rest.Connection = viewBy<Rest.Connection>(
  accountSchemas.Connection,
);

const tokensView = viewBy<Rest.AccountTokens, "problem">(accountSchemas.AccountTokens);
const problemView = viewBy<Rest.AccountProblem, "reconnect">(accountSchemas.AccountProblem);
const accountView = viewBy<Rest.Account, "oauth">(accountSchemas.Account);

/** What is known of the tokens of an account. */
const viewTokens = ({ failure, ...tokens }: AccountOAuth): Rest.AccountTokens =>
  tokensView(tokens, { problem: failure ? problemView(failure, { reconnect: failure.final }) : null });

/** An account, without its credentials. Only one with tokens of an authorization server has `oauth`. */
export const viewAccount = ({ oauth, ...account }: AccountView): Rest.Account =>
  accountView(account, oauth ? { oauth: viewTokens(oauth) } : {});
