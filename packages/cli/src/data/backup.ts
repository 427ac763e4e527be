import { constants, setPriority } from "node:os";
import { join } from "node:path";

import { backupData } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { hasData } from "../arguments/path.ts";
import { printResult } from "../client/output.ts";
import type { Command } from "../command.ts";
import { environment } from "../environment.ts";
import { EnvironmentError, UsageError } from "../errors.ts";
import { readFileOperand } from "./file-operand.ts";
import { sizeText } from "./size-text.ts";

async function backup(args: Arguments): Promise<number> {
  const file = readFileOperand("backup", args);
  if (!args.has("data") && environment.store !== undefined)
    throw new UsageError("The data is in PostgreSQL (X_STORE): use pg_dump or x export, or set --data to a folder");
  const data = args.text("data") ?? ".x";
  if (!hasData(data)) throw new EnvironmentError(`there is no data in ${data}; set --data to another folder`);
  // A service on the folder comes first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const made = await backupData({ data, file });
  const advice = {
    file: `Its secrets need ${join(data, "x.key")}, which is not in it: keep a copy of that file in another place.`,
    given: "Its secrets need the secret key of the service (X_SECRET_KEY), which is not in it.",
    none: "Its secrets are not encrypted: nobody else may read it.",
  }[made.key];
  return printResult(args, { data, file, ...made }, `${file}: a backup of ${data}, ${sizeText(made.bytes)}\n${advice}`);
}

/** `x backup`: copies the data of a folder while a service runs. */
export const backupCommand: Command = {
  operands: "FILE",
  details: [
    "The service continues; FILE has what was committed when the copy began. It is complete and checked before it gets its",
    "name, and an existing file is never replaced. FILE is a SQLite database without the key: keep a copy of DIR/x.key (or",
    "X_SECRET_KEY) in another place, because both together reveal the secrets, and a backup without the key cannot be used.",
    "x restore makes a folder of it. For data in PostgreSQL use pg_dump (docs/postgres.md).",
  ].join("\n"),
  flags: [
    { name: "data", value: "DIR", about: "the data folder (default .x)" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: ["x backup backups/monday.db --data /var/lib/x"],
  run: backup,
};
