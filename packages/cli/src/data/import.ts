import { importData } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { checkFile } from "../arguments/path.ts";
import { printResult } from "../client/output.ts";
import type { Command } from "../command.ts";
import { environment } from "../environment.ts";
import { UsageError } from "../errors.ts";
import { loadPostgres } from "../serve/open-store.ts";
import { readFileOperand } from "./file-operand.ts";
import { type DataPlace, placeFlags, placeName, readPlace } from "./place.ts";

/** The command that starts a service on the place. */
function startOf(place: DataPlace, key: "file" | "given"): string {
  const secret = key === "given" ? "X_SECRET_KEY=KEY " : "";
  return `${secret}x serve ${"data" in place ? `--data ${place.data}` : "--store URL"}`;
}

async function runImport(args: Arguments): Promise<number> {
  const file = readFileOperand("import", args);
  checkFile(file);
  const place = readPlace(args);
  if (!place) throw new UsageError("Where to: x import FILE --data DIR, or --store URL?");
  const { rows, key } = await importData({
    file,
    ...("store" in place
      ? { target: async () => (await loadPostgres()).openPostgresTarget({ url: place.store }) }
      : place),
    secretKey: args.text("secret-key") ?? environment.secretKey,
    keyFile: args.text("key-file"),
    newSecretKey: args.text("new-secret-key") ?? environment.newSecretKey,
  });
  const to = placeName(place);
  return printResult(
    args,
    { file, to, rows, key },
    `${to} has ${rows} rows of ${file}; start it: ${startOf(place, key)}`,
  );
}

/** `x import`: fills an empty store with an export. */
export const importCommand: Command = {
  operands: "FILE",
  details: [
    "The new store has all of FILE or nothing. Its secrets are encrypted again: in a folder with the key of DIR/x.key, which is",
    "created, or with the new key; in PostgreSQL with the new key, else with that of the exported data. Set keys with",
    "X_SECRET_KEY and X_NEW_SECRET_KEY: every user of the machine can read command lines (ps).",
  ].join("\n"),
  flags: [
    ...placeFlags("the folder to make"),
    { name: "key-file", value: "FILE", about: "x.key of the exported folder" },
    {
      name: "secret-key",
      value: "KEY",
      about: "the key of the exported data, without a key file (default: X_SECRET_KEY)",
    },
    { name: "new-secret-key", value: "KEY", about: "the key of the new store (default: X_NEW_SECRET_KEY)" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: [
    "x import all.x --store 'postgres://host/db?schema=sources' --key-file /var/lib/x/x.key",
    "X_SECRET_KEY=KEY x import all.x --data /var/lib/x",
  ],
  run: runImport,
};
