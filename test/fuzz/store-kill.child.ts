/** Opens the store of a folder, and commits each line of its input, JSON in base64, without waiting for the one before. Prints each end. */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

import { XError } from "../../packages/model/src/errors.ts";

import { openSqliteStore } from "../../packages/store/src/sqlite/sqlite.ts";
import { type ChangeInput, readChange } from "./store-input.ts";

/** At once, so that a line says what is durable even when the next instant is the last. */
const say = (line: string): void => void writeSync(1, `${line}\n`);

const store = await openSqliteStore({ folder: process.argv[2] ?? "" });
say("open");
let number = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const changes = (JSON.parse(Buffer.from(line, "base64").toString()) as ChangeInput[]).map(readChange);
  const mine = number++;
  store.commit(changes).then(
    () => say(`${mine} done`),
    (error: unknown) => say(`${mine} ${XError.is(error) ? error.code : String(error)}`),
  );
}
