import type { Json } from "@x/runtime";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import { givenBody, parseProps } from "../arguments/values.ts";
import { findAccountId } from "../client/accounts.ts";
import type { RestClient } from "../client/rest-client.ts";
import { UsageError } from "../errors.ts";
import { readVerifyFlags, verifyFlag } from "./verify-flag.ts";

/** Flags for the values of a source. */
export const sourceInputFlags: readonly Flag[] = [
  {
    name: "props",
    value: "NAME=VALUE",
    about: "a prop's value, read by its type; NAME:=JSON, or @FILE with a JSON object; may be repeated",
  },
  { name: "account", value: "APP=ID", about: "an account by its id or name, for the app or app prop; may be repeated" },
  verifyFlag,
];

/** Values of a source, as a request has them. */
export interface SourceInput {
  readonly configured_props?: { readonly [prop: string]: Json };
  readonly prop_texts?: { readonly [prop: string]: string[] };
  readonly accounts?: { readonly [app: string]: string };
}

/** The values in the flags; `pairs` are more of `--props`. */
export async function readSourceInput(
  client: RestClient,
  args: Arguments,
  pairs: readonly string[] = [],
): Promise<SourceInput> {
  const given = parseProps([...args.all("props"), ...pairs]);
  const accounts: { [app: string]: string } = {};
  for (const text of args.all("account")) {
    const [, app, account] = /^([^=\s]+)=(.+)$/.exec(text) ?? [];
    if (app === undefined || account === undefined) throw new UsageError(`--account needs APP=ID, got "${text}"`);
    accounts[app] = await findAccountId(client, account, app);
  }
  return {
    ...givenBody({ ...given, props: { ...given.props, ...readVerifyFlags(args) } }),
    ...(Object.keys(accounts).length > 0 && { accounts }),
  };
}
