import { restoreData } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { printResult } from "../client/output.ts";
import type { Command } from "../command.ts";
import { environment } from "../environment.ts";
import { UsageError } from "../errors.ts";
import { checkFile } from "../arguments/path.ts";
import { readFileOperand } from "./file-operand.ts";

async function restore(args: Arguments): Promise<number> {
  const file = readFileOperand("restore", args);
  checkFile(file);
  const data = args.text("data");
  if (data === undefined) throw new UsageError("Where to: x restore FILE --data DIR?");
  const keyFile = args.text("key-file");
  const secretKey = args.text("secret-key") ?? environment.secretKey;
  const { key } = await restoreData({ file, data, keyFile, secretKey });
  const start = `x serve --data ${data}`;
  const next = key === "given" ? `start it with its secret key: X_SECRET_KEY=KEY ${start}` : `start it: ${start}`;
  return printResult(args, { file, data, key }, `${data} has the data of ${file}; ${next}`);
}

/** `x restore`: makes a data folder of a backup. */
export const restoreCommand: Command = {
  operands: "FILE",
  details: [
    "Every page and the key are checked first. DIR must not exist, or hold nothing but x.key. What waited at the time of the",
    "backup happens again: requests run, deliveries are sent, timers that are overdue fire once.",
  ].join("\n"),
  flags: [
    { name: "data", value: "DIR", about: "the folder to make" },
    { name: "key-file", value: "FILE", about: "the copy of x.key (default: DIR/x.key)" },
    { name: "secret-key", value: "KEY", about: "of a service with a given key (default: X_SECRET_KEY); checked" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: ["x restore backups/monday.db --data /var/lib/x --key-file keys/x.key"],
  run: restore,
};
