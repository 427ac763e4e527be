import type { Arguments } from "../arguments/arguments.ts";
import { parseOrigin } from "../arguments/runtime-flags.ts";
import type { RestClient } from "../client/rest-client.ts";
import { defaultUrl, openClient } from "../client/service-flags.ts";
import { environment } from "../environment.ts";
import { UsageError } from "../errors.ts";
import { type ConfigFile, requireConfigFile } from "./config-file.ts";
import { readEndpointBodies } from "./endpoint-body.ts";
import { type Plan, planChanges } from "./plan.ts";
import { readFound } from "./read-found.ts";
import { readReferences, type SourceReference } from "./source-body.ts";

/** A plan with what it was made of. */
export interface MadePlan {
  readonly file: ConfigFile;
  readonly client: RestClient;
  readonly found: Awaited<ReturnType<typeof readFound>>;
  readonly references: ReadonlyMap<string, SourceReference>;
  readonly endpoints: ReturnType<typeof readEndpointBodies>;
  readonly plan: Plan;
}

/** Reads the service, and plans. Throws `UsageError` for a config that cannot be applied. */
export async function planFor(file: ConfigFile, client: RestClient): Promise<MadePlan> {
  const { config } = file;
  const references = await readReferences(file);
  const endpoints = readEndpointBodies(file);
  const found = await readFound(client, config, { references, endpoints });
  const plan = planChanges(config, found);
  if (plan.problems.length > 0) throw new UsageError(`${file.file}: ${plan.problems.join("\n  ")}`);
  return { file, client, found, references, endpoints, plan };
}

/** The same for the config and the service of the flags. */
export async function makePlan(args: Arguments): Promise<MadePlan> {
  const file = await requireConfigFile(args);
  const { config } = file;
  const url = parseOrigin("to", args.text("to") ?? environment.url ?? config.url ?? defaultUrl);
  const client = openClient(url, args.text("api-key") ?? environment.apiKey);
  return planFor(file, client);
}
