import { XError } from "../../model/errors.ts";
import type { InstalledPackages } from "../../packages/contract.ts";
import type { Builder, BuildOptions, Bundler, NeededPackages, PackageUse } from "../contract.ts";

type Build<T> = (packages: BuildOptions | undefined) => Promise<T | NeededPackages>;

/** Packages are asked for by the component's own files only, so a build with them needs no others. */
function complete<T extends object>(built: T | NeededPackages): Exclude<T, NeededPackages> {
  if (!("needed" in built)) return built as Exclude<T, NeededPackages>;
  throw new XError("internal", [], { cause: new Error("A build needs packages that it did not ask for.") });
}

/** Builds, installs what the code needs, and builds with it. */
async function withPackages<T extends object>(
  build: Build<T>,
  use: PackageUse | undefined,
): Promise<Exclude<T, NeededPackages>> {
  if (!use) return complete(await build(undefined));
  const { conditions = "node", inBackground = false } = use;
  const first = await build({ conditions, inBackground });
  if (!("needed" in first)) return complete(first);
  const buildWith = (installed: InstalledPackages): Promise<T | NeededPackages> =>
    build({ conditions, inBackground, installed, asked: first.needed });
  const installing = use.install(first.needed);
  installing.catch(() => undefined);
  // While a registry is asked whether versions are still current, the build begins with those it most likely names.
  const guess = await use.guess?.(first.needed);
  const guessed = guess && buildWith(guess);
  guessed?.catch(() => undefined);
  const installed = await installing;
  return complete(await (guessed && guess.key === installed.key ? guessed : buildWith(installed)));
}

/** A bundler that gets its packages from who uses it. */
export function bundleWithPackages(builder: Builder): Bundler {
  return {
    bundle: (input, use) => withPackages((packages) => builder.build(input, packages), use),
    bundleFetched: (files, use) => withPackages((packages) => builder.buildFetched(files, packages), use),
    warm: () => builder.warm(),
    close: () => builder.close(),
  };
}

/** The same bundler for builds with packages that nobody waits for. */
export const bundleInBackground = (bundler: Bundler): Bundler => ({
  ...bundler,
  bundle: (input, use) => bundler.bundle(input, use && { ...use, inBackground: true }),
});
