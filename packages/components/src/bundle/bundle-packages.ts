import { XError } from "@x/model";
import type { InstalledPackages } from "../packages/contract.ts";
import type { Builder, BuildOptions, Bundler, NeededPackages, PackageUse } from "../contract.ts";

type Build<T> = (packages: BuildOptions | undefined) => Promise<T | NeededPackages>;

/** Only the component's own files request packages, so a build with installed packages needs no more. */
function complete<T extends object>(built: T | NeededPackages): Exclude<T, NeededPackages> {
  if (!("needed" in built)) return built as Exclude<T, NeededPackages>;
  throw new XError("internal", [], { cause: new Error("A build needs packages that it did not ask for.") });
}

/** The reason why a package of a workspace is in no registry; undefined for other packages. */
function workspaceHint(name: unknown, needed: NeededPackages["needed"]): string | undefined {
  const { declared } = needed.find((each) => each.name === name) ?? {};
  if (declared?.range.startsWith("workspace:") !== true) return undefined;
  return `${declared.manifest} has it as "${declared.range}", and it is not installed here: a package of a workspace comes from the registry where its folder is not; publish it, or import its files by a relative path`;
}

/** The error of a package that is not found, with what may be the reason. */
function withHint(error: unknown, { needed, hint: other }: NeededPackages): unknown {
  if (!XError.is(error) || error.code !== "package_unresolved") return error;
  const hint = workspaceHint(error.details["package"], needed) ?? other;
  if (hint === undefined) return error;
  // A copy: others may wait for the same installation.
  return Object.create(error, { details: { value: { ...error.details, hint } } }) as unknown;
}

/** Builds, installs the packages that the code needs, and builds with them. */
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
  // Builds with the probable versions while the registry confirms them.
  const guess = await use.guess?.(first.needed);
  const guessed = guess && buildWith(guess);
  guessed?.catch(() => undefined);
  const installed = await installing.catch((error: unknown) => {
    throw withHint(error, first);
  });
  return complete(await (guessed && guess.key === installed.key ? guessed : buildWith(installed)));
}

/** A bundler that installs packages through `PackageUse`. */
export function bundleWithPackages(builder: Builder): Bundler {
  return {
    declare: (files) => builder.declare(files),
    bundle: (input, use) => withPackages((packages) => builder.build(input, packages), use),
    bundleFetched: (files, use) => withPackages((packages) => builder.buildFetched(files, packages), use),
    warm: (isChanging) => builder.warm(isChanging),
    close: () => builder.close(),
  };
}

/** The same bundler with low priority for builds with packages. */
export const bundleInBackground = (bundler: Bundler): Bundler => ({
  ...bundler,
  bundle: (input, use) => bundler.bundle(input, use && { ...use, inBackground: true }),
});
