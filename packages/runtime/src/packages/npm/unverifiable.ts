import { installedOf, type LockedPackage, nameOf, type PackageLock } from "../../model/package-lock.ts";
import { type NpmOptions, publicRegistry } from "./npm-options.ts";

/** It lists the integrity of everything: without one, somebody on the way has taken it off. */
const publicHost = new URL(publicRegistry).hostname;

function registryOf(name: string, options: NpmOptions): string {
  const scope = name.startsWith("@") ? name.split("/")[0] : undefined;
  const ofScope = scope === undefined ? undefined : options[`${scope}:registry`];
  return String(ofScope ?? options["registry"]);
}

function isOfPublicRegistry(name: string, options: NpmOptions): boolean {
  const registry = registryOf(name, options);
  return !URL.canParse(registry) || new URL(registry).hostname === publicHost;
}

/** The first package whose archive cannot be checked, though its registry is none that the user has configured instead of the public one. */
export function findUnverifiable(
  lock: PackageLock,
  options: NpmOptions,
): { readonly place: string; readonly package: string } | undefined {
  const isUnchecked = ([place, each]: readonly [string, LockedPackage]): boolean =>
    each["inBundle"] !== true && !each.integrity && isOfPublicRegistry(nameOf(place, each), options);
  const found = installedOf(lock).find(isUnchecked);
  return found && { place: found[0], package: `${nameOf(...found)}@${found[1].version}` };
}
