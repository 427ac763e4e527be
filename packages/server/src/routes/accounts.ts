import type { Json } from "@x/runtime";

import { viewAccount } from "@x/resources";
import { readSearch, searchIn } from "../list-search.ts";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { nothing, one, pageOf } from "../route-answer.ts";
import type { CheckedLater, ParameterSchema } from "../schema.ts";
import { findListed, idsParameter } from "./listed-ids.ts";
import { flagParameter, pageParameters } from "./parameters.ts";

const route = tagged("Accounts");

const app = {
  type: "string",
  minLength: 1,
  maxLength: 128,
  description: "the slug of an app, as app props name it",
} as const satisfies ParameterSchema;
// The runtime validates these two: schema errors quote the value, and credentials must not be shown.
const name: CheckedLater<string | null> = {
  description: "a text of 1 to 256 characters, or null",
  shownAs: { type: ["string", "null"], minLength: 1, maxLength: 256 },
};
const auth: CheckedLater<{ readonly [field: string]: Json }> = {
  description: "an object with the credentials, of at most 64 KiB of JSON",
  shownAs: { type: "object" },
};

/** Credentials that components read as `$auth`. */
export const accountRoutes: readonly Route[] = [
  route("POST /accounts", {
    name: "createAccount",
    summary: "Store the credentials of an account",
    description: [
      'An app prop is configured with `{"authProvisionId": "<id>"}`; components read `auth` as `this.<prop>.$auth`. It is',
      "encrypted at rest, and no answer shows it.",
    ].join("\n"),
    bodyExample: { app: "acme", name: "Work", auth: { api_key: "the-key-of-acme" } },
    answer: one("Account", "The new account."),
    body: { app, name, auth },
    required: ["app", "auth"],
    handle: async ({ runtime, body }) => viewAccount(await runtime.createAccount(body)),
  }),
  route("GET /users/me/accounts", {
    name: "listAccounts",
    summary: "List accounts, newest first",
    description: "`ids` lists these accounts alone, without pages; unknown ones are left out.",
    answer: pageOf("Account", "A page of accounts."),
    query: {
      ...pageParameters,
      ...searchIn("the name or the app, or begins the id"),
      app: { ...app, description: "the slug of an app: only its accounts are listed" },
      ids: idsParameter,
    },
    async handle({ runtime, query, select }) {
      const filter = { ...readSearch(query), ...(query.app !== undefined && { app: query.app }) };
      const page = query.ids
        ? await findListed({ ...query, ids: query.ids }, (id) => runtime.account(id))
        : await runtime.accounts(parsePage(query), filter);
      return pageAnswer(page, idCursor, (account) => select(viewAccount(account)));
    },
  }),
  route("PUT /accounts/:id", {
    name: "changeAccount",
    summary: "Replace the credentials or the name of an account",
    description: "Absent fields stay. Runs that start afterwards get the new credentials.",
    bodyExample: { auth: { api_key: "the-new-key-of-acme" } },
    errors: ["missing_parameter"],
    answer: one("Account", "The changed account."),
    body: { name, auth },
    handle: async ({ runtime, params, body }) => viewAccount(await runtime.updateAccount(params.id, body)),
  }),
  route("DELETE /accounts/:id", {
    name: "deleteAccount",
    summary: "Delete an account",
    description: [
      "While sources use it, it is deleted only with `force=true`: they stay, and their runs fail with `account_missing`",
      "until they get another account. Tokens are revoked where the authorization server offers that.",
    ].join("\n"),
    errors: ["account_in_use"],
    answer: nothing("Deleted."),
    query: { force: flagParameter },
    handle: ({ runtime, params, query }) => runtime.deleteAccount(params.id, { force: query.force === "true" }),
  }),
];
