import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Json } from "@x/client";

import { messageOf, UsageError } from "../errors.ts";
import type { ConfiguredEndpoint } from "./config.ts";
import type { ConfigFile } from "./config-file.ts";

/** The body of a request that sets the endpoint of an app. */
export interface EndpointBody {
  readonly [name: string]: Json;
}

function readCode(folder: string, name: string, reader: string): string {
  try {
    return readFileSync(join(folder, reader), "utf8");
  } catch (error) {
    throw new UsageError(`apps.${name}.endpoint.reader: ${reader} cannot be read: ${messageOf(error)}`);
  }
}

function bodyOf(endpoint: ConfiguredEndpoint, folder: string): EndpointBody {
  const { name, service, scheme, secret, reader, allUsers, parameters } = endpoint;
  return {
    ...parameters,
    ...(service !== undefined && { service }),
    ...(scheme !== undefined && { scheme }),
    ...(secret !== undefined && { secret }),
    ...(reader !== undefined && { code: readCode(folder, name, reader) }),
    ...(allUsers && { all_users: true }),
  };
}

/** What the config sets of each endpoint, by the slug of its app. The service checks the parameters. */
export const readEndpointBodies = ({ config, folder }: ConfigFile): ReadonlyMap<string, EndpointBody> =>
  new Map(config.endpoints.map((endpoint) => [endpoint.name, bodyOf(endpoint, folder)]));
