import type { Arguments } from "../arguments/arguments.ts";
import { UsageError } from "../errors.ts";

const wellFormed = /^(?:\/[\w.~-]+)+$/;

/** The path in `--mount-path`, below which the proxy passes requests on. It must be the path of the public URL, if there is one. Throws `UsageError`. */
export const readMountPath = (args: Arguments, publicUrl: string | undefined): string | undefined =>
  args.read("mount-path", (flag, text) => {
    const path = text.replace(/(?<!\/)\/+$/, "");
    if (!wellFormed.test(path)) throw new UsageError(`--${flag} must be a path such as /x, got "${text}"`);
    if (publicUrl !== undefined && new URL(publicUrl).pathname !== path)
      throw new UsageError(`--${flag} must be the path of --public-url (${publicUrl}), got "${text}"`);
    return path;
  });
