import { exportData } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { hasData } from "../arguments/path.ts";
import { printResult } from "../client/output.ts";
import type { Command } from "../command.ts";
import { EnvironmentError } from "../errors.ts";
import { loadPostgres } from "../serve/open-store.ts";
import { readFileOperand } from "./file-operand.ts";
import { placeFlags, placeName, readPlace } from "./place.ts";
import { sizeText } from "./size-text.ts";

async function runExport(args: Arguments): Promise<number> {
  const file = readFileOperand("export", args);
  const place = readPlace(args) ?? { data: ".x" };
  if ("data" in place && !hasData(place.data))
    throw new EnvironmentError(`there is no data in ${place.data}; set --data to another folder, or --store`);
  const { rows, bytes, inUse } = await exportData({
    file,
    ...("store" in place ? { rows: async () => (await loadPostgres()).openPostgresRows({ url: place.store }) } : place),
  });
  const from = placeName(place);
  const lines = [`${file}: ${rows} rows of ${from}, ${sizeText(bytes)}. To read it: x import, with the key of ${from}`];
  if (inUse)
    lines.push("A service is using the data: what it does from now on is not in the export. To move, stop it first.");
  return printResult(args, { file, from, rows, bytes, in_use: inUse }, lines);
}

/** `x export`: writes everything that a store holds into one file. */
export const exportCommand: Command = {
  operands: "FILE",
  details: [
    "FILE has one state of everything that is stored, for all users: to move between SQLite and PostgreSQL, or to another",
    "schema. Stop the service first when you move. Secrets stay encrypted with the key of the data, which is not in FILE.",
  ].join("\n"),
  flags: [...placeFlags(), { name: "json", about: "print one JSON document" }],
  examples: ["x export all.x --data /var/lib/x", "x export all.x --store 'postgres://host/db?schema=sources'"],
  run: runExport,
};
