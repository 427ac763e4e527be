import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import type { PublishedComponent, PublishInput, Registry, RegistryModule, RegistryParts } from "./contract.ts";
import type { ComponentLoader } from "../contract.ts";
import { XError } from "@x/model";
import { createFolderRegistry } from "./folder.ts";
import { createListRegistry } from "./list.ts";
import { type Inspect, publishInto } from "./publish.ts";

/** A folder, or modules. */
type RegistryOption = string | readonly RegistryModule[] | undefined;

/** Throws `invalid_options` when the registry is a folder that does not exist. */
export function checkRegistry(registry: RegistryOption): void {
  if (typeof registry !== "string" || statSync(registry, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new XError("invalid_options", ["registry", "a folder that exists", JSON.stringify(registry)]);
}

const noRegistry: Registry = {
  find: () => Promise.resolve(undefined),
  list: () => ({ items: [], progress: { known: 0, evaluated: 0, refused: 0, total: 0 } }),
  items: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

/** Creates the registry of an option; undefined gives an empty one. */
export function createRegistry(registry: RegistryOption, parts: RegistryParts): Registry {
  if (registry === undefined) return noRegistry;
  return typeof registry === "string" ? createFolderRegistry(registry, parts) : createListRegistry(registry, parts);
}

/** Publishes into the folder that the input names, or else into the runtime's own. */
export async function publishComponent(
  input: PublishInput,
  own: RegistryOption,
  loader: ComponentLoader,
): Promise<PublishedComponent> {
  const registry = input.registry ?? own;
  if (typeof registry !== "string") {
    throw new XError("invalid_parameter", ["registry", "the folder of a registry", "none"]);
  }
  const inspect: Inspect = async (code) => {
    let files: readonly string[] = [];
    const { shape, contentHash } = await loader.load(code, (content) => {
      const manifests = (content.manifests ?? []).filter((name) => existsSync(join(code.root, name)));
      files = [...content.files, ...manifests.filter((name) => !content.files.includes(name))];
      return Promise.resolve(undefined);
    });
    return { shape, contentHash, files };
  };
  try {
    return await publishInto(registry, input, inspect);
  } catch (error) {
    if (XError.is(error)) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new XError("registry_failed", [registry, problem], { cause: error });
  }
}
