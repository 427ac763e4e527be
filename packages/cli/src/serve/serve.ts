import { setFlagsFromString } from "node:v8";

import { type Logger, manualClock, type Runtime, type WorkflowView } from "@x/runtime";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import type { Crash } from "../crash.ts";
import { type DeployedFile, deployFiles, endpointUrls, registerWorkflows } from "./deploy-files.ts";
import { configFlag, type ConfigFile, findConfigFile, readConfigFile } from "../apply/config-file.ts";
import { withServerOptions } from "../apply/server-options.ts";
import { givenEnvFileFlag, loadGivenEnvFile } from "../arguments/env-file.ts";
import { applyConfig, registeringOnApply, workflowFiles } from "./serve-config.ts";
import { environment } from "../environment.ts";
import { readHost } from "./host-flag.ts";
import { publicUrlFlag, readPublicUrl } from "./public-url-flag.ts";
import { readMountPath } from "./mount-path-flag.ts";
import { exitCodes } from "../exit-code.ts";
import { checkFile } from "../arguments/path.ts";
import { parseProps, readFileOperands } from "../arguments/values.ts";
import { createLogger } from "../terminal/logger.ts";
import { parseChoice, parseInteger } from "../arguments/quantity.ts";
import { watchHeap } from "./grown-heap.ts";
import {
  executionsFlag,
  readExecutions,
  logLevelFlag,
  readLogLevel,
  rootFlag,
  type RuntimeFlagOptions,
  runtimeFlags,
  runtimeOptions,
} from "../arguments/runtime-flags.ts";
import { type Service, type ServiceOptions, startService, waitingForRuns } from "./service.ts";
import { warnOfEndpoints } from "./changed-endpoints.ts";
import { aborted, stopSignal } from "../stop-signal.ts";
import { storeOptions } from "./open-store.ts";
import { errorMessage } from "../terminal/event-line.ts";
import { inLine, jsonText } from "../terminal/visible.ts";

/** Flags for the address, the data folder and the keys of a service. */
export const serverFlags: readonly Flag[] = [
  { name: "port", value: "PORT", about: "port to listen on (default 7777; 0: any free one)" },
  { name: "host", value: "HOST", about: "address to listen on (default 127.0.0.1)" },
  { name: "data", value: "DIR", about: "data folder (default .x)" },
  { name: "api-key", value: "KEY", about: "API key (default: X_API_KEY, else the first start creates one)" },
  { name: "no-inspector", about: "do not serve the inspector, the web application at /" },
  { name: "secret-key", value: "KEY", about: "encrypts stored secrets (default: X_SECRET_KEY, else DIR/x.key)" },
];

/** Reads the server flags. */
export function readServerOptions(args: Arguments): {
  host: string;
  port: number;
  data: string;
  apiKey?: string;
  secretKey?: string;
  inspector: boolean;
} {
  const secretKey = args.text("secret-key") ?? environment.secretKey;
  const apiKey = args.text("api-key") ?? environment.apiKey;
  return {
    host: readHost(args),
    port: args.read("port", (flag, text) => parseInteger(flag, text, 0, 65_535)) ?? 7777,
    data: args.text("data") ?? ".x",
    inspector: !args.has("no-inspector"),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(secretKey === undefined ? {} : { secretKey }),
  };
}

function serveOptions(args: Arguments): RuntimeFlagOptions & Pick<ServiceOptions, "metrics" | "clock" | "registry"> {
  const { limits, ...others } = runtimeOptions(args);
  const retention = args.read("retention", (flag, text) => parseInteger(flag, text, 1, 1_000_000));
  const registry = args.text("registry") ?? environment.registry;
  const metricsPort = args.read("metrics-port", (flag, text) => parseInteger(flag, text, 0, 65_535));
  const metricsHost = readHost(args, "metrics-host");
  const clock = args.read("clock", (flag, text) => parseChoice(flag, text, ["real", "manual"]));
  return {
    limits: { ...limits, ...(retention && { retention }), ...readExecutions(args) },
    ...others,
    ...(registry !== undefined && { registry }),
    ...(metricsPort !== undefined && { metrics: { host: metricsHost, port: metricsPort } }),
    ...(clock === "manual" && { clock: manualClock(Date.now()) }),
  };
}

/** The sources and workflows of the files. */
interface Served {
  /** The command that replaces a lost API key; undefined when a flag or variable sets the key. */
  readonly renewal: string | undefined;
  readonly deployed: readonly DeployedFile[];
  readonly workflows: readonly WorkflowView[];
}

function announce(service: Service, { renewal, deployed, workflows }: Served, json: boolean): void {
  const sources = deployed.map(({ view, change }) => ({
    id: view.source.id,
    name: view.source.name,
    change,
    endpoints: endpointUrls(view),
  }));
  const shown = workflows.map(({ id, name, endpointUrl }) => ({
    id,
    name,
    endpoints: endpointUrl === undefined ? [] : [endpointUrl],
  }));
  if (json) {
    const key = service.newApiKey === undefined ? {} : { api_key: service.newApiKey };
    const metrics = service.metricsUrl === undefined ? {} : { metrics_url: service.metricsUrl };
    const links = service.inspectorUrl === undefined ? metrics : { ...metrics, inspector_url: service.inspectorUrl };
    console.log(
      jsonText({ message: "serving", base_url: service.baseUrl, ...links, ...key, sources, workflows: shown }),
    );
    return;
  }
  console.log(`Serving on ${service.baseUrl}`);
  if (service.metricsUrl !== undefined) console.log(`Metrics at ${service.metricsUrl}`);
  if (service.newApiKey !== undefined) console.log(`API key (new, keep it): ${service.newApiKey}`);
  else if (renewal !== undefined)
    console.log(`API key: the one that the first start printed; if it is lost, stop x and run: ${renewal}`);
  if (service.inspectorUrl !== undefined)
    console.log(`Inspector (link works once, for 30 minutes): ${service.inspectorUrl}`);
  for (const { id, name, change, endpoints } of sources) {
    console.log([`Source ${inLine(name)} (${id}, ${change})`, ...endpoints].join("  "));
  }
  for (const { id, name, endpoints } of shown)
    console.log([`Workflow ${inLine(name)} (${id})`, ...endpoints].join("  "));
}

/** Logs the failed runs of all users until the runtime closes. */
async function logErrors(runtime: Runtime, logger: Logger, ended: AbortSignal): Promise<void> {
  // With several nodes it also ends when events of others may be missing.
  while (!ended.aborted)
    for await (const { event, source } of runtime.events({ stream: "$errors", everyUser: true, signal: ended }))
      logger.warn("a run failed", { source: source.id, name: source.name, error: errorMessage(event.payload) });
}

/** A name in a trigger may be misspelt. */
async function warnOfAwaited(runtime: Runtime, workflows: readonly WorkflowView[], logger: Logger): Promise<void> {
  for (const { id, name } of workflows) {
    const { awaitedSource: source } = await runtime.findWorkflow(id);
    if (source !== undefined)
      logger.warn("the trigger of this workflow waits for a source of that name", { name, source });
  }
}

/** V8 collects garbage when the heap has grown by half, not fourfold: a service waits more than it computes. */
const heapGrowth = "--heap-growing-percent=50";

/** The config of the flag or the working folder with its server options in the arguments. */
async function readConfigured(args: Arguments): Promise<{ args: Arguments; config?: ConfigFile }> {
  loadGivenEnvFile(args);
  const name = findConfigFile(args);
  if (name === undefined) return { args };
  const config = await readConfigFile(name);
  const flags = { known: serveCommand.flags, taken: serveCommand.flags };
  const isApplied = args.has("config") || readFileOperands(args.operands).files.length === 0;
  return { args: withServerOptions(args, config, flags), ...(isApplied && { config }) };
}

async function serve(given: Arguments, crash?: Crash): Promise<number> {
  setFlagsFromString(heapGrowth);
  watchHeap();
  const { args, config } = await readConfigured(given);
  return serveWith(args, config, crash);
}

async function serveWith(args: Arguments, config: ConfigFile | undefined, crash?: Crash): Promise<number> {
  const json = args.has("json-logs");
  if (json) crash?.logJson();
  const logger = createLogger(json, readLogLevel(args));
  const publicUrl = readPublicUrl(args);
  const mountPath = readMountPath(args, publicUrl);
  const { files, pairs } = readFileOperands(args.operands);
  const offered = parseProps([...args.all("props"), ...pairs]);
  const workflows = [...args.all("workflow"), ...(config ? workflowFiles(config) : [])];
  for (const file of [...files, ...workflows]) checkFile(file);
  const given = {
    ...readServerOptions(args),
    ...serveOptions(args),
    ...(publicUrl && { publicUrl }),
    ...(mountPath && { mountPath }),
  };
  const store = args.text("store") ?? environment.store;
  const options =
    store === undefined ? given : { ...given, ...storeOptions(store, { ...given, logger, nodes: "several" }) };
  const stop = stopSignal();
  let served: Omit<Served, "renewal"> = { deployed: [], workflows: [] };
  const service = await startService({
    ...options,
    logger,
    stop,
    ...(crash && { crashed: crash.signal }),
    onSlowClose: () => logger.info(waitingForRuns),
    watch: (runtime, ended) => logErrors(runtime, logger, ended),
    ...(config && { exposed: (runtime: Runtime) => registeringOnApply(runtime, config, logger) }),
    async prepare(runtime) {
      const deployed = await deployFiles(
        runtime,
        files.map((file) => ({ file, root: args.text("root"), offered })),
      );
      const registered = await registerWorkflows(runtime, workflows, args.text("root"));
      for (const { name, warnings = [] } of registered)
        for (const { message, rule } of warnings) logger.warn(`${message} (${rule})`, { name });
      const configured = config ? await applyConfig(runtime, config) : [];
      await warnOfAwaited(runtime, registered, logger);
      served = { deployed: [...deployed, ...configured], workflows: registered };
    },
  });
  if (!service) return 0;
  void warnOfEndpoints(service.runtime, logger, stop).catch(() => undefined);
  const { user } = await service.runtime.user();
  const folder = args.has("data") ? ` --data ${given.data}` : "";
  const renewal =
    options.apiKey === undefined && store === undefined ? `x users rotate ${user.username}${folder}` : undefined;
  announce(service, { ...served, renewal }, json);
  const failure = await Promise.race([aborted(stop), service.failed]);
  if (failure) logger.error("the store cannot be written any more; the service stops", { error: failure.message });
  await service.close();
  return failure ? exitCodes.environment : 0;
}

/** `x serve`: a service with the REST interface. */
export const serveCommand: Command = {
  operands: "[FILE…]",
  details: [
    "Each FILE is deployed at the start; if there is a source of a component with the same name, it is updated.",
    "Without FILE, x serve makes what x.config.ts of the working folder says, as x apply does, and registers its workflows;",
    "with FILE it only reads the options in its member server. Flags have priority.",
    "Workflows are registered at each start; one that is left out is inactive and keeps its events.",
    "Set keys with X_API_KEY and X_SECRET_KEY: every user of the machine can read command lines (ps).",
    "A secret key is 32 bytes in hex or base64, or a passphrase. Without one the first start creates DIR/x.key. Back it up:",
    "stored secrets cannot be read without it.",
    "With --store the data is in PostgreSQL (docs/postgres.md; needs the package @x/postgres), and the secret key must be given:",
    "with X_SECRET_KEY, or as the file x.key of a folder with --data.",
    "The registry is read in the background, and again when it changes; x publish adds to it.",
    "Ready when GET /healthz answers 200. SIGTERM or SIGINT lets runs finish and exits 0; a second one exits at once.",
  ].join("\n"),
  flags: [
    ...serverFlags,
    { name: "store", value: "URL", about: "postgres://HOST/DATABASE?schema=NAME instead of DIR (default: X_STORE)" },
    publicUrlFlag,
    {
      name: "mount-path",
      value: "PATH",
      about: "path that the proxy keeps, such as /x (default: that of --public-url)",
    },
    {
      name: "props",
      value: "NAME=VALUE",
      about: "a value, read by the type of the prop, for each FILE that has it, at every start; may be repeated",
    },
    configFlag,
    givenEnvFileFlag,
    rootFlag,
    ...runtimeFlags,
    { name: "workflow", value: "FILE", about: "a module with defineWorkflow; may be repeated" },
    { name: "retention", value: "COUNT", about: "events kept per source and stream (default 100)" },
    executionsFlag,
    { name: "clock", value: "KIND", about: "real, or manual: POST /v1/clock/advance advances it (default real)" },
    {
      name: "metrics-port",
      value: "PORT",
      about: "port for GET /metrics without a key (default: none; see docs/metrics.md)",
    },
    { name: "metrics-host", value: "HOST", about: "address of that port (default 127.0.0.1)" },
    logLevelFlag,
    { name: "json-logs", about: "print JSON, one object per line" },
    { name: "registry", value: "DIR", about: "folder of published components, for all users (default: X_REGISTRY)" },
  ],
  examples: [
    "x serve examples/http-inbox/http-inbox.js",
    "x serve poll.js --props board=b1",
    "x serve --port 8080 --data /var/lib/x --public-url https://hooks.example.com",
  ],
  run: serve,
};
