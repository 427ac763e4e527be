import { join } from "node:path";

import { rotateSecretKey } from "@x/runtime";

import { hasData } from "./arguments/path.ts";
import type { Arguments } from "./arguments/arguments.ts";
import { readSubcommand } from "./client/subcommand.ts";
import type { Command } from "./command.ts";
import { environment } from "./environment.ts";
import { exitCodes } from "./exit-code.ts";
import { createLogger } from "./terminal/logger.ts";
import { safeText } from "./terminal/visible.ts";
import { EnvironmentError } from "./errors.ts";

async function rotate(args: Arguments): Promise<number> {
  readSubcommand("secret-key", { rotate: [] }, args);
  const data = args.text("data") ?? ".x";
  if (!hasData(data)) throw new EnvironmentError(`there is no data in ${data}; set --data to another folder`);
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
  const from = key === "file" ? `the one in ${join(data, "x.key")}` : "the new one: start x serve with it";
  console.log(safeText(`The secrets in ${data} have a new key, ${from}.\nEarlier backups need the old key.`));
  return exitCodes.ok;
}

/** `x secret-key`: replaces the key of the secrets in a data folder. */
export const secretKeyCommand: Command = {
  name: "secret-key",
  operands: "rotate",
  about: "Encrypt the secrets of a data folder with a new key",
  details: [
    "Stop the service first. All secrets are encrypted again in one step: after a kill, the folder opens with one of the two",
    "keys. Without a new key, x generates one in x.key; with one, it removes x.key. Set keys with X_SECRET_KEY and",
    "X_NEW_SECRET_KEY: every user of the machine can read command lines (ps).",
  ].join("\n"),
  flags: [
    { name: "data", value: "DIR", about: "the data folder (default .x)" },
    { name: "secret-key", value: "KEY", about: "the old key (default: X_SECRET_KEY, else DIR/x.key)" },
    {
      name: "new-secret-key",
      value: "KEY",
      about: "the new key (default: X_NEW_SECRET_KEY, else a new DIR/x.key)",
    },
    { name: "json", about: "print one JSON document" },
  ],
  examples: ["x secret-key rotate --data /var/lib/x", "X_NEW_SECRET_KEY=KEY x secret-key rotate"],
  run: rotate,
};
