import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { systemClock, userPackagesFolder } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import type { Crash } from "../crash.ts";
import { configFlag, findConfigFile, readConfigFile } from "../apply/config-file.ts";
import { withServerOptions } from "../apply/server-options.ts";
import { envFileFlag, loadEnvFile } from "../arguments/env-file.ts";
import { type DevConfig, readDevConfig } from "./dev-config.ts";
import { type KeyAction, readKeys } from "./keys.ts";
import { messageJson, messageText } from "./message-text.ts";
import { openSession, type Session, type SessionOptions } from "./session.ts";
import { accountsFlag, type AccountsByApp, readAccounts } from "../arguments/accounts-file.ts";
import { openTunnel, type Tunnel } from "./tunnel.ts";
import { findComponentFiles } from "../arguments/component-files.ts";
import { parseEvent, parseProps, readFileOperands } from "../arguments/values.ts";
import { createLogger } from "../terminal/logger.ts";
import {
  executionsFlag,
  readExecutions,
  logLevelFlag,
  readLogLevel,
  rootFlag,
  runtimeFlags,
  runtimeOptions,
} from "../arguments/runtime-flags.ts";
import { appEventFlag } from "../run/app-event.ts";
import { serveCommand, serverFlags, readServerOptions } from "../serve/serve.ts";
import { publicUrlFlag, readPublicUrl } from "../serve/public-url-flag.ts";
import { startService, waitingForRuns } from "../serve/service.ts";
import { inLine } from "../terminal/visible.ts";
import { aborted, stopSignal } from "../stop-signal.ts";
import { UsageError } from "../errors.ts";

const defaultData = ".x/dev";
/** An update waits so long for a run, before a note says that it waits. */
const busyWaitMs = 2_000;

/** A file that is created later is read then. */
function readAccountsIfThere(flag: string, file: string): AccountsByApp {
  if (existsSync(file)) return readAccounts(flag, file);
  console.error(inLine(`There is no file ${file} yet; it is read when it is created.`));
  return {};
}

function readFiles(operands: readonly string[]): string[] {
  if (operands.length === 0) throw new UsageError("Which FILE?");
  const { files, skipped } = findComponentFiles(operands);
  for (const { file, why } of skipped) console.error(inLine(`${file}  skipped: ${why}`));
  return [...new Map(files.map((file) => [resolve(file), file])).values()];
}

function readOptions(args: Arguments, config: DevConfig | undefined, data: string, hasKeys: boolean): SessionOptions {
  const json = args.has("json");
  const { files, pairs } = readFileOperands(args.operands);
  return {
    files: config ? config.files : readFiles(files),
    root: args.text("root"),
    ...parseProps([...args.all("props"), ...pairs]),
    ...(config && { sources: config.sources }),
    accounts: { ...config?.accounts, ...args.read("accounts", readAccountsIfThere) },
    accountsFile: args.text("accounts"),
    event: args.read("event", parseEvent),
    appEvent: args.text("app-event"),
    runOnChange: args.has("run"),
    data,
    print(message) {
      const now = systemClock.now();
      console.log(json ? messageJson(message, now) : messageText(message, now, hasKeys));
    },
  };
}

/** The arguments with the server options of the config, and what of it to run when no FILE is given. */
async function readConfigured(given: Arguments): Promise<{ args: Arguments; config?: DevConfig }> {
  loadEnvFile(given);
  const name = findConfigFile(given);
  if (name === undefined) return { args: given };
  const file = await readConfigFile(name);
  const args = withServerOptions(given, file, { known: serveCommand.flags, taken: devCommand.flags });
  if (readFileOperands(args.operands).files.length > 0) return { args };
  const config = readDevConfig(file);
  for (const note of config.notes) console.error(inLine(note));
  if (config.files.length === 0) throw new UsageError(`${name} has no file to run; which FILE?`);
  return { args, config };
}

/** What leads requests to the port from outside, and its URL. */
interface Outside extends AsyncDisposable {
  readonly publicUrl?: string | ((port: number) => Promise<string>);
}

/** The public URL that is given, or that of the tunnel that the command opens when the port is known. Throws `UsageError`. */
function readOutside(args: Arguments, stop: AbortSignal, print: SessionOptions["print"]): Outside {
  const command = args.text("tunnel");
  const publicUrl = readPublicUrl(args);
  let tunnel: Tunnel | undefined;
  const end = async (): Promise<void> => tunnel?.[Symbol.asyncDispose]();
  if (command === undefined) return { ...(publicUrl !== undefined && { publicUrl }), [Symbol.asyncDispose]: end };
  if (args.has("public-url")) throw new UsageError("--tunnel and --public-url cannot both be given");
  return {
    async publicUrl(port) {
      tunnel = await openTunnel(command, port, stop);
      void tunnel.ended.then(() => {
        if (!stop.aborted)
          print({ message: "note", text: "the tunnel has ended; start x dev again to get another one" });
      });
      return tunnel.url;
    },
    [Symbol.asyncDispose]: end,
  };
}

async function dev(given: Arguments, crash?: Crash): Promise<number> {
  const { args, config } = await readConfigured(given);
  const server = { ...readServerOptions(args), data: args.text("data") ?? defaultData };
  if (args.has("json")) crash?.logJson();
  const hasKeys = process.stdin.isTTY && !args.has("json");
  const options = readOptions(args, config, server.data, hasKeys);
  const { print } = options;
  const stop = stopSignal();
  await using outside = readOutside(args, stop, print);

  const sandboxed = runtimeOptions(args);
  let session: Session | undefined;
  let loaded: Awaited<ReturnType<Session["load"]>> = { files: [], resting: [] };
  const service = await startService({
    ...server,
    ...(outside.publicUrl !== undefined && { publicUrl: outside.publicUrl }),
    ...sandboxed,
    // Shares the packages that `x run` has fetched.
    ...(sandboxed.packages && { packages: { ...sandboxed.packages, cache: userPackagesFolder() } }),
    limits: { ...sandboxed.limits, busyWaitMs, ...readExecutions(args) },
    logger: createLogger(args.has("json"), readLogLevel(args)),
    // Messages name the props without an account.
    missingAccounts: "allow",
    stop,
    ...(crash && { crashed: crash.signal }),
    observe: (observed) => session?.observe(observed),
    onSlowClose: () => print({ message: "note", text: waitingForRuns }),
    async prepare(runtime) {
      session = openSession(runtime, options);
      try {
        loaded = await session.load();
      } catch (error) {
        session.stop();
        throw error;
      }
    },
    exposed: (runtime) => session?.runtime ?? runtime,
  });
  if (!service) {
    session?.stop();
    return 0;
  }
  const { user } = await service.runtime.user();
  // The pages and REST are asked here, not through a tunnel.
  const publicUrl = service.baseUrl.slice(0, -"/v1".length);
  const here = (url: string): string => url.replace(new URL(publicUrl).origin, new URL(service.localUrl).origin);
  print({
    message: "serving",
    base_url: here(service.baseUrl),
    ...(service.inspectorUrl !== undefined && { inspector_url: here(service.inspectorUrl) }),
    ...(publicUrl !== service.localUrl && { public_url: publicUrl }),
    api_key: user.apiKey,
    data: server.data,
    ...loaded,
  });
  session?.start();

  function act(action: KeyAction): void {
    if (action === "explain") print({ message: "keys" });
    else if (action === "quit") {
      // From here on Ctrl+C sends SIGINT again: a second one ends the process at once.
      leaveKeys();
      process.kill(process.pid, "SIGINT");
    } else session?.act(action);
  }
  const leaveKeys = hasKeys ? readKeys(process.stdin, act) : () => undefined;

  await aborted(stop);
  leaveKeys();
  session?.stop();
  if (args.has("tunnel")) await session?.unregister();
  await service.close();
  await session?.ended();
  return 0;
}

/** `x dev`: runs components and reloads them on change. */
export const devCommand: Command = {
  operands: "[FILE…]",
  details: [
    "Each FILE becomes a source or a workflow. When the file, or a file or package that it imports, changes, the source is",
    "updated in place and keeps its id, its db and its endpoint, also after a restart. When a file does not load, x prints",
    "the error with its line, and the version before keeps running. Events, logs, errors and requests are printed as they",
    "come.",
    "For a folder, x takes every file in it that looks like a component or workflow; it skips tests and apps.",
    "Without FILE, x takes the files, values and accounts of x.config.ts in the working folder.",
    "Keys: r runs now, e replays the last request or event, t fires timers, q quits.",
    "Without a terminal there are no keys; SIGTERM or SIGINT ends it and exits 0.",
    "Sources of files that are not on the command line are inactive, until a later start names their files again.",
    "A prop that several components have is set for all of them. Props and accounts are stored for later starts. The file",
    "of --accounts is watched too, and can be created later.",
    "A service reaches endpoints through --tunnel or --public-url; docs/authoring.md has commands of tunnel programs.",
  ].join("\n"),
  flags: [
    { name: "props", value: "NAME=VALUE", about: "a prop's value, read by its type, or NAME:=JSON; may be repeated" },
    accountsFlag,
    configFlag,
    envFileFlag,
    { name: "run", about: "run at the start and after every change" },
    { name: "event", value: "JSON|@FILE", about: "the event that r and --run give to run" },
    appEventFlag,
    rootFlag,
    { name: "json", about: "print JSON, one object per line" },
    ...serverFlags.map((flag) =>
      flag.name === "data" ? { ...flag, about: `data folder (default ${defaultData})` } : flag,
    ),
    publicUrlFlag,
    { name: "tunnel", value: "COMMAND", about: "a program that prints a public URL for {port}; it ends with x dev" },
    ...runtimeFlags,
    executionsFlag,
    logLevelFlag,
  ],
  examples: [
    "x dev examples/http-inbox/http-inbox.js",
    "x dev .",
    "x dev sources/poll.ts --root . --props token=abc --run",
    "x dev new-cards.ts --accounts .x/accounts.json",
    "x dev inbox.js --tunnel 'cloudflared tunnel --url http://127.0.0.1:{port}'",
    `x dev inbox.js --json --event '{"method":"POST","body":{"message":"hello"}}'`,
  ],
  run: dev,
};
