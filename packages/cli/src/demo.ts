import { isIP } from "node:net";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { EventsFilter, NetworkOptions, Runtime } from "@x/runtime";

import type { Arguments } from "./arguments/arguments.ts";
import { paint } from "./terminal/terminal-text.ts";
import type { Command } from "./command.ts";
import type { Crash } from "./crash.ts";
import { type ComponentFile, type DeployedFile, deployFiles, endpointUrls } from "./serve/deploy-files.ts";
import { eventLine } from "./terminal/event-line.ts";
import { createLogger } from "./terminal/logger.ts";
import { findNpmRegistry } from "./npm-registry.ts";
import { logLevelFlag, readLogLevel } from "./arguments/runtime-flags.ts";
import { serverFlags, readServerOptions } from "./serve/serve.ts";
import { startService, waitingForRuns } from "./serve/service.ts";
import { aborted, stopSignal } from "./stop-signal.ts";
import { EnvironmentError, UsageError } from "./errors.ts";

/** The same path from `src` and from `dist`: both are two folders below the root. */
const examples = new URL("../../../examples/", import.meta.url);

/** Packages with small registry documents. */
const watchedPackages = ["croner", "keyv", "quickjs-emscripten"];

function fileOf(name: string): string {
  const file = fileURLToPath(new URL(name, examples));
  if (existsSync(file)) return file;
  throw new EnvironmentError("x demo needs the examples of the repository, which the installed package does not have");
}

export interface DemoSources {
  readonly inbox: ComponentFile;
  readonly counter: ComponentFile;
  /** Undefined without a registry to poll. */
  readonly poller: ComponentFile | undefined;
}

/** The three examples with their props. */
export function demoSources(registry: string | undefined): DemoSources {
  return {
    inbox: { file: fileOf("http-inbox/http-inbox.js") },
    counter: { file: fileOf("cron-counter/cron-counter.js") },
    poller:
      registry === undefined
        ? undefined
        : {
            file: fileOf("npm-releases/npm-releases.ts"),
            props: { packages: watchedPackages },
            currentProps: { registry },
          },
  };
}

/** Allows requests to the registry only, which may have a private address. */
function onlyHostOf(registry: string | undefined): NetworkOptions {
  if (registry === undefined) return { mode: "none" };
  const { hostname } = new URL(registry);
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  return { mode: "allow-private", allow: [isIP(bare) === 0 ? hostname : bare] };
}

async function printEvents(runtime: Runtime, filter: EventsFilter): Promise<void> {
  for await (const event of runtime.events(filter)) console.log(eventLine(event));
}

function welcome(options: {
  baseUrl: string;
  inspectorUrl: string | undefined;
  apiKey: string;
  data: string;
  inbox: DeployedFile;
  hasPoller: boolean;
}): string {
  const { baseUrl, inspectorUrl, apiKey, data, inbox, hasPoller } = options;
  const [endpoint = ""] = endpointUrls(inbox.view);
  const auth = `-H 'authorization: Bearer ${apiKey}'`;
  return [
    "",
    `${paint("bold", "x is running the examples")}   data in ${data}, Ctrl+C stops`,
    "",
    ...(inspectorUrl === undefined ? [] : [`  Inspector  ${inspectorUrl}   (works once, for 30 minutes)`]),
    `  Base URL   ${baseUrl}`,
    `  API key    ${apiKey}`,
    `  Inbox      ${endpoint}`,
    "",
    "Send a message to the inbox; it is printed below:",
    "",
    `  curl -H 'content-type: application/json' -d '{"message":"hello"}' ${endpoint}`,
    "",
    "List the sources, or the events of the inbox:",
    "",
    `  curl ${auth} ${baseUrl}/users/me/sources/`,
    `  curl ${auth} '${baseUrl}/sources/${inbox.view.source.id}/event_summaries?expand=event'`,
    "",
    ...(hasPoller ? [] : ["npm has no registry configured (npm config get registry): npm-releases is left out.", ""]),
    paint("bold", "Events as they arrive:"),
  ].join("\n");
}

async function demo(args: Arguments, crash?: Crash): Promise<number> {
  const [operand] = args.operands;
  if (operand !== undefined) throw new UsageError(`x demo takes no FILE; use x serve ${operand}`);
  const server = readServerOptions(args);
  const stop = stopSignal();
  const registry = await findNpmRegistry(stop);
  const { inbox, counter, poller } = demoSources(registry);
  if (stop.aborted) return 0;

  let deployed: DeployedFile[] = [];
  const files: ComponentFile[] = [inbox, counter, ...(poller ? [poller] : [])];
  const service = await startService({
    ...server,
    logger: createLogger(false, readLogLevel(args)),
    network: onlyHostOf(registry),
    stop,
    ...(crash && { crashed: crash.signal }),
    onSlowClose: () => console.log(waitingForRuns),
    async prepare(runtime) {
      deployed = await deployFiles(runtime, files);
    },
  });
  if (!service) return 0;
  const { runtime, baseUrl, inspectorUrl } = service;
  const { user } = await runtime.user();
  const [deployedInbox, ...toRun] = deployed;
  if (deployedInbox) {
    const hasPoller = poller !== undefined;
    console.log(
      welcome({ baseUrl, inspectorUrl, apiKey: user.apiKey, data: server.data, inbox: deployedInbox, hasPoller }),
    );
  }
  const printing = Promise.all((["emits", "$errors"] as const).map((stream) => printEvents(runtime, { stream })));
  printing.catch(() => undefined);
  // The first run starts now, not at the first tick.
  for (const { view } of toRun) if (view.source.active) await runtime.invoke(view.source.id, { wait: false });

  await aborted(stop);
  console.log("\nStopping");
  await service.close();
  await printing;
  return 0;
}

/** `x demo`: what `npm start` runs. */
export const demoCommand: Command = {
  operands: "",
  details: [
    "This is what npm start runs in the repository. It serves an HTTP inbox, a counter that runs every minute, and a",
    "poller of the npm registry that npm is configured with. Components can request that registry and no other host.",
  ].join("\n"),
  flags: [...serverFlags, logLevelFlag],
  examples: ["x demo", "x demo --port 8080 --data /tmp/demo"],
  run: demo,
};
