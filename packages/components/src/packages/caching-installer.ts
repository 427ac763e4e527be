import { XError, specifierOf } from "@x/model";
import type { InstalledPackages, PackageInstaller, PackageRequest } from "./contract.ts";
import { specifiersOf } from "./plan.ts";

/** An installer that resolves each set of specifiers once, until `renew` is called. */
export interface CachingInstaller extends PackageInstaller {
  /** Forgets all results. */
  renew(): void;
}

const problemOf = (error: XError): string => error.details.errors?.[0]?.message ?? error.message;

/** The same failure for another file that imports the packages. */
function forImporter(error: unknown, importer: string): unknown {
  if (!XError.is(error) || error.code !== "package_unresolved") return error;
  const { chain, package: about } = error.details;
  if (!Array.isArray(chain)) return error;
  const own = [importer, ...(chain as string[]).slice(1)];
  return new XError(error.code, [String(about), own.slice(0, -1).join(" -> "), problemOf(error)], {
    details: { ...error.details, chain: own },
  });
}

/** The scope of a package: all packages of a scope come from one registry. */
const scopeOf = (name: string): string => (name.startsWith("@") ? (name.split("/")[0] ?? "") : "");

/**
 * Caches the results of an installer. A failure that took `requestTimeoutMs` means that a registry does not respond; later
 * installations from it fail at once.
 */
export function createCachingInstaller(installer: PackageInstaller, requestTimeoutMs: number): CachingInstaller {
  const results = new Map<string, Promise<InstalledPackages>>();
  /** Failures of registries that do not respond, by scope. */
  const unresponsive = new Map<string, XError>();

  async function install(needed: readonly PackageRequest[]): Promise<InstalledPackages> {
    const lost = needed.find(({ name }) => unresponsive.has(scopeOf(name)));
    const reason = lost && unresponsive.get(scopeOf(lost.name));
    if (lost && reason) {
      const known = await installer.guess(needed);
      if (known) return known;
      const about = specifierOf(lost);
      throw new XError("package_unresolved", [about, lost.importer, problemOf(reason)], {
        details: { ...reason.details, package: about, chain: [lost.importer, about] },
      });
    }
    const began = performance.now();
    try {
      return await installer.install(needed);
    } catch (error) {
      if (XError.is(error) && error.details["reason"] === "offline" && performance.now() - began >= requestTimeoutMs)
        unresponsive.set(scopeOf(String(error.details["package"])), error);
      throw error;
    }
  }

  return {
    install(needed, before) {
      if (before) return installer.install(needed, before);
      const id = JSON.stringify(specifiersOf(needed).sort());
      const known = results.get(id);
      if (known)
        return known.catch((error: unknown) => {
          throw forImporter(error, needed[0]?.importer ?? "component");
        });
      const installing = install(needed);
      results.set(id, installing);
      return installing;
    },
    guess: (needed) => installer.guess(needed),
    renew() {
      results.clear();
      unresponsive.clear();
    },
    close: () => installer.close(),
  };
}
