import type { Json } from "@x/runtime";

import { viewAccount, dataOf, listOf } from "@x/resources";
import { emptyAnswer } from "@x/http";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { defineRoute, type Route } from "../route.ts";
import type { CheckedLater, ParameterSchema } from "../schema.ts";
import { flagParameter, pageParameters } from "./parameters.ts";

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

const tag = "Accounts";

/** Credentials that components read as `$auth`. */
export const accountRoutes: readonly Route[] = [
  defineRoute({
    name: "createAccount",
    tag,
    method: "POST",
    path: "/accounts",
    summary: "Store the credentials of an account",
    description: [
      'An app prop is configured with `{"authProvisionId": "<id>"}`; components read `auth` as `this.<prop>.$auth`. It is',
      "encrypted at rest, and no answer shows it.",
    ].join("\n"),
    bodyExample: { app: "acme", name: "Work", auth: { api_key: "the-key-of-acme" } },
    answer: { status: 200, description: "The new account.", schema: dataOf("Account") },
    body: { app, name, auth },
    required: ["app", "auth"],
    async handle({ runtime, body, resource }) {
      const input = { app: body.app, auth: body.auth, ...(body.name !== undefined && { name: body.name }) };
      return resource(200, viewAccount(await runtime.createAccount(input)));
    },
  }),
  defineRoute({
    name: "listAccounts",
    tag,
    method: "GET",
    path: "/users/me/accounts",
    summary: "List accounts, newest first",
    answer: { status: 200, description: "A page of accounts.", schema: listOf("Account") },
    query: { ...pageParameters, app: { ...app, description: "the slug of an app: only its accounts are listed" } },
    async handle({ runtime, query, select }) {
      const only = query.app === undefined ? {} : { app: query.app };
      const page = await runtime.accounts(parsePage(query), only);
      return pageAnswer(page, idCursor, (account) => select(viewAccount(account)));
    },
  }),
  defineRoute({
    name: "changeAccount",
    tag,
    method: "PUT",
    path: "/accounts/:id",
    summary: "Replace the credentials or the name of an account",
    description: "Absent fields stay. Runs that start afterwards get the new credentials.",
    bodyExample: { auth: { api_key: "the-new-key-of-acme" } },
    errors: ["missing_parameter"],
    answer: { status: 200, description: "The changed account.", schema: dataOf("Account") },
    body: { name, auth },
    async handle({ runtime, params, body, resource }) {
      const change = {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.auth !== undefined && { auth: body.auth }),
      };
      return resource(200, viewAccount(await runtime.updateAccount(params.id, change)));
    },
  }),
  defineRoute({
    name: "deleteAccount",
    tag,
    method: "DELETE",
    path: "/accounts/:id",
    summary: "Delete an account",
    description: [
      "While sources use it, it is deleted only with `force=true`: they stay, and their runs fail with `account_missing`",
      "until they get another account. Tokens are revoked where the authorization server offers that.",
    ].join("\n"),
    errors: ["account_in_use"],
    answer: { status: 204, description: "Deleted." },
    query: { force: flagParameter },
    async handle({ runtime, params, query }) {
      await runtime.deleteAccount(params.id, { force: query.force === "true" });
      return emptyAnswer;
    },
  }),
];
