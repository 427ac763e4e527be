import { readFileSync } from "node:fs";

import type { Arguments } from "../arguments/arguments.ts";
import { parseInteger } from "../arguments/quantity.ts";
import { findSourceId } from "../client/emitters.ts";
import { printResult } from "../client/output.ts";
import type { RestClient } from "../client/rest-client.ts";
import { openClient, readClient, serviceFlags } from "../client/service-flags.ts";
import type { Command } from "../command.ts";
import { environment } from "../environment.ts";
import { EnvironmentError, messageOf, UsageError } from "../errors.ts";
import { exitCodes } from "../exit-code.ts";
import { type CapturedRequest, parseCaptured, requestOfExecution } from "./captured.ts";

const defaultCount = 10;
const maxRequests = 1_000;

const sourceUrl = /^(https?:\/\/.*)\/v1\/sources\/(dc_\w+)\/?$/;

/** The newest requests to a source of another service, oldest first. */
async function readService(client: RestClient, id: string, count: number): Promise<CapturedRequest[]> {
  const found: CapturedRequest[] = [];
  let skipped = 0;
  for (const run of await client.list("GET /sources/{id}/executions", { path: { id } }, maxRequests)) {
    if (found.length === count) break;
    if (run.trigger !== "http") continue;
    const request = requestOfExecution(await client.ask("GET /executions/{id}", { path: { id: run.execution_id } }));
    if (request) found.unshift(request);
    else skipped += 1;
  }
  if (skipped > 0)
    console.error(`${skipped} requests are left out: they were too large to be stored whole, or are replays`);
  return found;
}

async function readText(from: string): Promise<string> {
  try {
    if (!/^https?:\/\//.test(from)) return readFileSync(from, "utf8");
    const response = await fetch(from);
    if (!response.ok) throw new Error(`the answer is ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new EnvironmentError(`${from} cannot be read: ${messageOf(error)}`);
  }
}

async function readRequests(args: Arguments): Promise<CapturedRequest[]> {
  const from = args.text("from");
  if (from === undefined) throw new UsageError("Where are the requests? --from FILE or --from URL");
  const count = args.read("limit", (flag, text) => parseInteger(flag, text, 1, maxRequests)) ?? defaultCount;
  const [, where, id] = sourceUrl.exec(from) ?? [];
  if (where !== undefined && id !== undefined) {
    const key = args.text("from-api-key") ?? environment.fromApiKey ?? args.text("api-key") ?? environment.apiKey;
    return await readService(openClient(where, key), id, count);
  }
  return parseCaptured(await readText(from), from);
}

/** What the endpoint answered. */
interface Sent {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly duration_ms: number;
}

async function send(endpoint: string, { method, target, headers, body }: CapturedRequest): Promise<Sent> {
  const begun = performance.now();
  const hasBody = body.byteLength > 0 && !["GET", "HEAD"].includes(method);
  const response = await fetch(endpoint + (target === "/" ? "" : target.replace(/^\/\?/, "?")), {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    ...(hasBody && { body: Buffer.from(body) }),
    redirect: "manual",
  });
  await response.arrayBuffer();
  return { method, target, status: response.status, duration_ms: Math.round(performance.now() - begun) };
}

/** The endpoint of a source at the address of the service: its URL may be that of a tunnel. */
async function findEndpoint(client: RestClient, idOrName: string): Promise<string> {
  const source = await client.ask("GET /sources/{id}", { path: { id: await findSourceId(client, idOrName) } });
  for (const value of Object.values(source.configured_props)) {
    const url =
      typeof value === "object" && value !== null && "endpoint_url" in value ? value["endpoint_url"] : undefined;
    const path = /\/in\/\w+$/.exec(typeof url === "string" ? url : "")?.[0];
    if (path !== undefined) return client.where + path;
  }
  throw new UsageError(`${idOrName} has no HTTP interface`);
}

async function listen(args: Arguments): Promise<number> {
  const [idOrName, extra] = args.operands;
  if (idOrName === undefined) throw new UsageError("Which SOURCE?");
  if (extra !== undefined) throw new UsageError(`One SOURCE at a time; "${extra}" is one too many`);
  const client = readClient(args);
  const requests = await readRequests(args);
  const endpoint = await findEndpoint(client, idOrName);
  const sent: Sent[] = [];
  for (const request of requests) {
    const done = await send(endpoint, request).catch((error: unknown) => {
      throw new EnvironmentError(`the endpoint cannot be reached: ${messageOf(error)}`);
    });
    sent.push(done);
    if (!args.has("json")) console.log(`${done.method} ${done.target}  ${done.status}  ${done.duration_ms} ms`);
  }
  if (args.has("json")) printResult(args, sent, "");
  else if (sent.length === 0) console.log("There are no requests.");
  return sent.some(({ status }) => status >= 400) ? exitCodes.component : exitCodes.ok;
}

/** `x listen`: sends captured requests to a source. */
export const listenCommand: Command = {
  operands: "SOURCE",
  details: [
    "SOURCE is the id or the name of a source of x dev or x serve. --from FILE is a HAR file, events of an HTTP interface, or",
    "runs as x runs show --json prints them: one, a list, or one a line. --from URL is a source of another service,",
    "such as https://hooks.example.com/v1/sources/dc_4mPz81KcYd, of which the newest requests are read, or such a file. The",
    "requests are sent in their order, with their headers and bodies byte for byte. Exit code 1 when an answer is 400 or more.",
  ].join("\n"),
  flags: [
    { name: "from", value: "FILE|URL", about: "where the requests are" },
    { name: "limit", value: "COUNT", about: `requests that are read from another service (default ${defaultCount})` },
    {
      name: "from-api-key",
      value: "KEY",
      about: "API key of that service (default: X_FROM_API_KEY, else that of SOURCE)",
    },
    ...serviceFlags,
  ],
  examples: [
    "x listen inbox --from captured.har",
    "x listen inbox --from https://hooks.example.com/v1/sources/dc_4mPz81KcYd --limit 3",
  ],
  run: listen,
};
