import { readFileSync } from "node:fs";

import type { Json } from "@x/runtime";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import { messageOf, UsageError } from "../errors.ts";

export const verifyFlag: Flag = {
  name: "verify",
  value: "PROP=SCHEME:@FILE",
  about:
    "verify requests to an HTTP prop with the secret in a file, as in http=github:@secret.txt; PROP=off takes it back",
};

function readVerify(text: string): [prop: string, value: Json] {
  const [, prop, scheme, file] = /^([^=\s]+)=([\w-]+)(?::@(.+))?$/.exec(text) ?? [];
  if (prop === undefined || scheme === undefined)
    throw new UsageError(`--verify needs PROP=SCHEME:@FILE, such as http=github:@secret.txt`);
  if (scheme === "off" && file === undefined) return [prop, { verify: null }];
  if (file === undefined)
    throw new UsageError(`--verify ${prop}=${scheme} needs a file with the secret: ${prop}=${scheme}:@FILE`);
  try {
    return [prop, { verify: { scheme, secret: readFileSync(file, "utf8").trim() } }];
  } catch (error) {
    throw new UsageError(`--verify cannot read ${file}: ${messageOf(error)}`);
  }
}

/** How requests are verified, by HTTP prop, from the flags. Throws `UsageError`. */
export const readVerifyFlags = (args: Arguments): { readonly [prop: string]: Json } =>
  Object.fromEntries(args.all("verify").map(readVerify));
