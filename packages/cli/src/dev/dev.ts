import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { systemClock, userPackagesFolder } from "@x/runtime";

import type { Arguments } from "../given/arguments.ts";
import type { Command } from "../command.ts";
import { type KeyAction, readKeys } from "./keys.ts";
import { messageJson, messageText } from "./message-text.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";
import { accountsFlag, type GivenAccounts, readAccounts } from "../given/given-accounts.ts";
import { findComponentFiles } from "../given/component-files.ts";
import { parseEvent, parseProps, readFileOperands } from "../given/given-values.ts";
import { createLogger } from "../terminal/logger.ts";
import { rootFlag, runtimeFlags, runtimeOptions } from "../given/runtime-flags.ts";
import { placeFlags, readPlace } from "../serve/serve.ts";
import { startService, waitingForRuns } from "../serve/service.ts";
import { inLine } from "../terminal/visible.ts";
import { aborted, stopSignal } from "../stop-signal.ts";
import { UsageError } from "../errors.ts";

const defaultData = ".x/dev";
/** Who saves a file is told soon that a run is in the way. */
const busyWaitMs = 2_000;

/** One that is made later is read then. */
function readAccountsIfThere(flag: string, file: string): GivenAccounts {
  if (existsSync(file)) return readAccounts(flag, file);
  console.error(inLine(`There is no file ${file} yet; it is read when there is.`));
  return {};
}

function readFiles(operands: readonly string[]): string[] {
  if (operands.length === 0) throw new UsageError("Which FILE?");
  const { files, skipped } = findComponentFiles(operands);
  for (const { file, why } of skipped) console.error(inLine(`${file}  skipped: ${why}`));
  return [...new Map(files.map((file) => [resolve(file), file])).values()];
}

function readOptions(given: Arguments, data: string, hasKeys: boolean): SessionOptions {
  const json = given.has("json");
  const { files, pairs } = readFileOperands(given.operands);
  return {
    files: readFiles(files),
    root: given.text("root"),
    props: parseProps([...given.all("props"), ...pairs]),
    accounts: given.read("accounts", readAccountsIfThere) ?? {},
    accountsFile: given.text("accounts"),
    event: given.read("event", parseEvent),
    runOnChange: given.has("run"),
    data,
    tell(message) {
      const now = systemClock.now();
      console.log(json ? messageJson(message, now) : messageText(message, now, hasKeys));
    },
  };
}

async function dev(given: Arguments): Promise<number> {
  const place = { ...readPlace(given), data: given.text("data") ?? defaultData };
  const hasKeys = process.stdin.isTTY && !given.has("json");
  const options = readOptions(given, place.data, hasKeys);
  const { tell } = options;
  const stop = stopSignal();

  const sandboxed = runtimeOptions(given);
  let session: Session | undefined;
  let loaded: Awaited<ReturnType<Session["load"]>> = { files: [], resting: [] };
  const service = await startService({
    ...place,
    ...sandboxed,
    // With what `x run` has fetched.
    ...(sandboxed.packages && { packages: { ...sandboxed.packages, cache: userPackagesFolder() } }),
    limits: { ...sandboxed.limits, busyWaitMs },
    logger: createLogger(given.has("json")),
    // It tells which props have none.
    missingAccounts: "allow",
    stop,
    observe: (observed) => session?.observe(observed),
    waiting: () => tell({ message: "note", text: waitingForRuns }),
    async prepare(runtime) {
      session = openSession(runtime, options);
      try {
        loaded = await session.load();
      } catch (error) {
        session.stop();
        throw error;
      }
    },
    front: (runtime) => session?.front ?? runtime,
  });
  if (!service) {
    session?.stop();
    return 0;
  }
  const { user } = await service.runtime.user();
  tell({ message: "serving", base_url: service.baseUrl, api_key: user.apiKey, data: place.data, ...loaded });
  session?.start();

  function act(action: KeyAction): void {
    if (action === "explain") tell({ message: "keys" });
    else if (action === "quit") {
      // From now on Ctrl+C is a signal again: a second one ends the process at once.
      leaveKeys();
      process.kill(process.pid, "SIGINT");
    } else session?.act(action);
  }
  const leaveKeys = hasKeys ? readKeys(process.stdin, act) : () => undefined;

  await aborted(stop);
  leaveKeys();
  session?.stop();
  await service.close();
  await session?.ended();
  return 0;
}

/** `x dev`: components run while they are written. */
export const devCommand: Command = {
  name: "dev",
  operands: "FILE…",
  about: "Run components and workflows while they are written",
  details: [
    "Each FILE is a source, or a workflow, that follows it: whenever the file, or a file or package that it imports,",
    "changes, it is updated in place and keeps its id, its db and its endpoint, also over restarts. A file that does not",
    "work is told with the line, and the version before goes on running. Events, logs, errors and requests are shown as",
    "they come.",
    "Of a folder every file in it that looks like a component or workflow is taken; tests and apps are skipped.",
    "Keys: r runs now, e replays the last request or run-now event, t fires timers, q quits.",
    "Without a terminal there are no keys; SIGTERM or SIGINT ends it and exits 0.",
    "The sources of files that are not given this time rest, and go on when they are given again.",
    "A prop that several components have is set for all of them. Props and accounts are kept for later starts. The file of",
    "--accounts is followed, too; it may be made later.",
  ].join("\n"),
  flags: [
    { name: "props", value: "NAME=VALUE", about: "a prop's value, as JSON or as text; may be repeated" },
    accountsFlag,
    { name: "run", about: "run at the start and after every change" },
    { name: "event", value: "JSON|@FILE", about: "the event that r and --run give to run" },
    rootFlag,
    { name: "json", about: "print JSON, one object per line" },
    ...placeFlags.map((flag) =>
      flag.name === "data" ? { ...flag, about: `folder of everything that must last (default ${defaultData})` } : flag,
    ),
    ...runtimeFlags,
  ],
  examples: [
    "x dev examples/http-inbox/http-inbox.js",
    "x dev .",
    "x dev sources/poll.ts --root . --props token=abc --run",
    "x dev new-cards.ts --accounts .x/accounts.json",
    `x dev inbox.js --json --event '{"method":"POST","body":{"message":"hello"}}'`,
  ],
  run: dev,
};
