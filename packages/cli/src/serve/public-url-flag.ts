import type { Arguments, Flag } from "../arguments/arguments.ts";
import { parseOrigin } from "../arguments/runtime-flags.ts";
import { environment } from "../environment.ts";

/** The base of endpoint URLs. */
export const publicUrlFlag: Flag = {
  name: "public-url",
  value: "URL",
  about: "base of endpoint URLs, behind a proxy or tunnel (default: X_PUBLIC_URL)",
};

/** The base of endpoint URLs, without a trailing slash. Throws `UsageError`. */
export function readPublicUrl(args: Arguments): string | undefined {
  const { publicUrl } = environment;
  return args.read("public-url", parseOrigin) ?? (publicUrl && parseOrigin("public-url (X_PUBLIC_URL)", publicUrl));
}
