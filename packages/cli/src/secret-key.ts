import { join } from "node:path";

import { rotateSecretKey, type SecretKeyRotation } from "@x/runtime";

import { hasData } from "./arguments/path.ts";
import type { Arguments } from "./arguments/arguments.ts";
import { readSubcommand } from "./client/subcommand.ts";
import type { Command } from "./command.ts";
import { environment } from "./environment.ts";
import { exitCodes } from "./exit-code.ts";
import { createLogger } from "./terminal/logger.ts";
import { safeText } from "./terminal/visible.ts";
import { EnvironmentError, UsageError } from "./errors.ts";
import { placeFlags, placeName } from "./data/place.ts";
import { storeOptions } from "./serve/open-store.ts";

/** What is encrypted again, and its current key. */
function readRotation(args: Arguments): { readonly name: string; readonly options: SecretKeyRotation } {
  const secretKey = args.text("secret-key") ?? environment.secretKey;
  const store = args.text("store") ?? environment.store;
  const data = args.text("data") ?? ".x";
  const logger = createLogger(args.has("json"));
  if (store !== undefined) {
    const opened = storeOptions(store, { data, logger, nodes: "one", ...(secretKey !== undefined && { secretKey }) });
    return { name: placeName({ store }), options: { store: opened.data, secretKey: opened.secretKey, logger } };
  }
  if (!hasData(data)) throw new EnvironmentError(`there is no data in ${data}; set --data to another folder`);
  return { name: data, options: { data, secretKey, logger } };
}

async function rotate(args: Arguments): Promise<number> {
  readSubcommand("secret-key", { rotate: [] }, args);
  const newSecretKey = args.text("new-secret-key") ?? environment.newSecretKey;
  const { name, options } = readRotation(args);
  if (options.store && newSecretKey === undefined)
    throw new UsageError("--store needs the new key: X_NEW_SECRET_KEY, or --new-secret-key (openssl rand -hex 32)");
  const key = await rotateSecretKey({ ...options, newSecretKey });
  if (args.has("json")) {
    console.log(JSON.stringify({ ...(options.store ? { store: name } : { data: name }), key }, null, 2));
    return exitCodes.ok;
  }
  const from = key === "file" ? `the one in ${join(name, "x.key")}` : "the new one: start x serve with it";
  console.log(safeText(`The secrets in ${name} have a new key, ${from}.\nEarlier backups need the old key.`));
  return exitCodes.ok;
}

/** `x secret-key`: replaces the key of the secrets in a data folder. */
export const secretKeyCommand: Command = {
  operands: "rotate",
  details: [
    "Stop the service first. All secrets are encrypted again in one step: after a kill, the folder opens with one of the two",
    "keys. Without a new key, x generates one in x.key; with one, it removes x.key. With --store both keys must be given. Set",
    "keys with X_SECRET_KEY and X_NEW_SECRET_KEY: every user of the machine can read command lines (ps).",
  ].join("\n"),
  flags: [
    ...placeFlags(),
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
