import { manualClock } from "@x/runtime";

import type { Arguments } from "./arguments.ts";
import type { Command, Flag } from "./command.ts";
import { type DeployedFile, deployFiles, endpointUrls } from "./deploy-files.ts";
import { environment } from "./environment.ts";
import { createLogger } from "./logger.ts";
import { parseChoice, parseInteger } from "./quantity.ts";
import { readOrigin, runtimeFlags, runtimeOptions } from "./runtime-flags.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";
import { aborted, stopSignal } from "./stop-signal.ts";
import { watchErrors } from "./watch-errors.ts";

/** Flags that say where a service listens and keeps its data. */
export const placeFlags: readonly Flag[] = [
  { name: "port", value: "PORT", about: "port to listen on (default 7777; 0: any free one)" },
  { name: "host", value: "HOST", about: "address to listen on (default 127.0.0.1)" },
  { name: "data", value: "DIR", about: "folder of everything that must last (default .x)" },
  { name: "api-key", value: "KEY", about: "API key (default: X_API_KEY, else one is made at the first start)" },
];

/** Where a service listens and keeps its data. */
export function readPlace(given: Arguments): { host: string; port: number; data: string; apiKey?: string } {
  const apiKey = given.text("api-key") ?? environment.apiKey;
  return {
    host: given.text("host") ?? "127.0.0.1",
    port: given.read("port", (flag, text) => parseInteger(flag, text, 0, 65_535)) ?? 7777,
    data: given.text("data") ?? ".x",
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

function serveOptions(given: Arguments): Pick<ServiceOptions, "limits" | "network" | "clock"> {
  const { limits, network } = runtimeOptions(given);
  const retention = given.read("retention", (flag, text) => parseInteger(flag, text, 1, 1_000_000));
  const clock = given.read("clock", (flag, text) => parseChoice(flag, text, ["real", "manual"]));
  return {
    limits: { ...limits, ...(retention && { retention }) },
    ...(network && { network }),
    ...(clock === "manual" && { clock: manualClock(Date.now()) }),
  };
}

function announce(service: Service, deployed: readonly DeployedFile[], json: boolean): void {
  const sources = deployed.map(({ view, change }) => ({
    id: view.source.id,
    name: view.source.name,
    change,
    endpoints: endpointUrls(view),
  }));
  if (json) {
    const key = service.newApiKey === undefined ? {} : { api_key: service.newApiKey };
    console.log(JSON.stringify({ message: "serving", base_url: service.baseUrl, ...key, sources }));
    return;
  }
  console.log(`Serving on ${service.baseUrl}`);
  if (service.newApiKey !== undefined) console.log(`API key (made now, keep it): ${service.newApiKey}`);
  for (const { id, name, change, endpoints } of sources) {
    console.log([`Source ${name} (${id}, ${change})`, ...endpoints].join("  "));
  }
}

async function serve(given: Arguments): Promise<number> {
  const json = given.has("json-logs");
  const logger = createLogger(json);
  const publicUrl = readOrigin(given, "public-url");
  const options = { ...readPlace(given), ...serveOptions(given), ...(publicUrl && { publicUrl }) };
  if (environment.secretKey !== undefined) {
    logger.warn("X_SECRET_KEY is set, but this release does not encrypt what it stores");
  }
  const stop = stopSignal();
  let deployed: readonly DeployedFile[] = [];
  const service = await startService({
    ...options,
    logger,
    async prepare(runtime) {
      deployed = await deployFiles(
        runtime,
        given.operands.map((file) => ({ file })),
      );
    },
  });
  announce(service, deployed, json);
  const watching = watchErrors(service.runtime, (source, message) => {
    logger.warn("a run failed", { source, error: message });
  });
  await aborted(stop);
  await service.close();
  await watching;
  return 0;
}

/** `x serve`: the runtime with its REST interface. */
export const serveCommand: Command = {
  name: "serve",
  operands: "[FILE…]",
  about: "Serve components and the REST interface",
  details: [
    "Each FILE is deployed at the start; a source of a component with the same name is updated instead.",
    "Ready when GET /healthz answers 200. SIGTERM or SIGINT lets runs finish and exits 0; a second one exits at once.",
  ].join("\n"),
  flags: [
    ...placeFlags,
    { name: "public-url", value: "URL", about: "base of endpoint URLs, when a proxy stands before it" },
    ...runtimeFlags,
    { name: "retention", value: "COUNT", about: "events kept per source and stream (default 100)" },
    { name: "clock", value: "KIND", about: "real, or manual: moves by POST /v1/clock/advance (default real)" },
    { name: "json-logs", about: "print JSON, one object per line" },
    { name: "registry", value: "DIR", about: "components by key", later: true },
  ],
  examples: [
    "x serve examples/http-inbox/http-inbox.js",
    "x serve --port 8080 --data /var/lib/x --public-url https://hooks.example.com",
  ],
  run: serve,
};
