import { XError } from "../model/errors.ts";
import { specifierOf } from "../model/package-lock.ts";
import type { InstalledPackages, PackageInstaller, PackageRequest } from "./contract.ts";
import { specifiersOf } from "./plan.ts";

/** An installer for many components: the registry is asked once what a set of specifiers means, until `renew` is called. */
export interface PackageMoment extends PackageInstaller {
  renew(): void;
}

const problemOf = (error: XError): string => error.details.errors?.[0]?.message ?? error.message;

/** The failure of the same packages, told of another file that names them. */
function asAskedBy(error: unknown, importer: string): unknown {
  if (!XError.is(error) || error.code !== "package_unresolved") return error;
  const { chain, package: about } = error.details;
  if (!Array.isArray(chain)) return error;
  const own = [importer, ...(chain as string[]).slice(1)];
  return new XError(error.code, [String(about), own.slice(0, -1).join(" -> "), problemOf(error)], {
    details: { ...error.details, chain: own },
  });
}

/** Packages of one scope have one registry. */
const scopeOf = (name: string): string => (name.startsWith("@") ? (name.split("/")[0] ?? "") : "");

/** `requestTimeoutMs`: a failure that took so long is a registry that does not answer, and nobody waits for it again. */
export function createPackageMoment(installer: PackageInstaller, requestTimeoutMs: number): PackageMoment {
  const answers = new Map<string, Promise<InstalledPackages>>();
  /** By scope. */
  const silent = new Map<string, XError>();

  async function ask(needed: readonly PackageRequest[]): Promise<InstalledPackages> {
    const lost = needed.find(({ name }) => silent.has(scopeOf(name)));
    const reason = lost && silent.get(scopeOf(lost.name));
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
        silent.set(scopeOf(String(error.details["package"])), error);
      throw error;
    }
  }

  return {
    install(needed, before) {
      if (before) return installer.install(needed, before);
      const id = JSON.stringify(specifiersOf(needed).sort());
      const known = answers.get(id);
      if (known)
        return known.catch((error: unknown) => {
          throw asAskedBy(error, needed[0]?.importer ?? "component");
        });
      const asking = ask(needed);
      answers.set(id, asking);
      return asking;
    },
    guess: (needed) => installer.guess(needed),
    renew() {
      answers.clear();
      silent.clear();
    },
    close: () => installer.close(),
  };
}
