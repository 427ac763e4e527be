import { join } from "node:path";

import { rotateSecretKey } from "@x/runtime";

import { hasData } from "./arguments/path.ts";
import type { Arguments } from "./arguments/arguments.ts";
import type { Command } from "./command.ts";
import { environment } from "./environment.ts";
import { exitCodes } from "./exit-code.ts";
import { createLogger } from "./terminal/logger.ts";
import { safeText } from "./terminal/visible.ts";
import { EnvironmentError, UsageError } from "./errors.ts";

async function rotate(args: Arguments): Promise<number> {
  const [verb, extra] = args.operands;
  if (verb !== "rotate") throw new UsageError("There is one order: x secret-key rotate");
  if (extra !== undefined) throw new UsageError(`"${extra}" is one too many`);
  const data = args.text("data") ?? ".x";
  if (!hasData(data)) throw new EnvironmentError(`there is no data in ${data}; --data names another folder`);
  const key = await rotateSecretKey({
    data,
    secretKey: args.text("secret-key") ?? environment.secretKey,
    newSecretKey: args.text("new-secret-key") ?? environment.newSecretKey,
    logger: createLogger(args.has("json")),
  });
  if (args.has("json")) {
    console.log(JSON.stringify({ data, key }, null, 2));
    return exitCodes.ok;
  }
  const from = key === "file" ? `the one in ${join(data, "x.key")}` : "the one that was given: start x serve with it";
  console.log(safeText(`The secrets in ${data} have a new key, ${from}.\nBackups of before need the key of before.`));
  return exitCodes.ok;
}

/** `x secret-key`: what encrypts the secrets of a data folder. */
export const secretKeyCommand: Command = {
  name: "secret-key",
  operands: "rotate",
  about: "Encrypt the secrets of a data folder with another key",
  details: [
    "Stop the service first. All secrets are encrypted anew at once: a process that is killed leaves a folder that opens",
    "with one of the two keys. Without a new key, x.key gets one; with one, x.key is removed. Flags can be seen by others",
    "of this machine while it runs: X_SECRET_KEY and X_NEW_SECRET_KEY cannot.",
  ].join("\n"),
  flags: [
    { name: "data", value: "DIR", about: "the data folder (default .x)" },
    { name: "secret-key", value: "KEY", about: "the key until now (default: X_SECRET_KEY, else DIR/x.key)" },
    {
      name: "new-secret-key",
      value: "KEY",
      about: "the key from now on (default: X_NEW_SECRET_KEY, else a new DIR/x.key)",
    },
    { name: "json", about: "print one JSON document" },
  ],
  examples: ["x secret-key rotate --data /var/lib/x", "X_NEW_SECRET_KEY=KEY x secret-key rotate"],
  run: rotate,
};
