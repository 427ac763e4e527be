import type { Json } from "@x/runtime";

import type { GivenAccounts } from "../given/given-accounts.ts";
import type { RuntimeFlagOptions } from "../given/runtime-flags.ts";

/** One shot, as the command line says it. */
export interface OneShotOptions {
  readonly file: string;
  /** Folder that its imports stay in. */
  readonly root: string;
  readonly props: { readonly [prop: string]: Json };
  readonly accounts?: GivenAccounts | undefined;
  readonly event: Json | undefined;
  /** Emit from the deploy hook too. */
  readonly emitOnDeploy: boolean;
  readonly times: number;
  /** In plain Node, where debuggers see it, in place of the sandbox. */
  readonly inNode?: boolean;
  readonly runtime: RuntimeFlagOptions;
}
