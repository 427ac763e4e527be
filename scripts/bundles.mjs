import { build } from "esbuild";

import { bundledFolders, thirdPartyLicenses } from "./third-party-licenses.mjs";

/** Bundles of one published folder. Everything that is bundled passes here, so that no package's licence is left out. */
export class Bundles {
  #builds = [];

  /** Bundles without writing; `options` are those of esbuild. */
  async make(options) {
    const { outputFiles, metafile } = await build({
      ...options,
      // Packages of this workspace by their sources.
      conditions: ["@x/source"],
      bundle: true,
      write: false,
      metafile: true,
    });
    this.#builds.push({ metafile, from: options.absWorkingDir ?? process.cwd() });
    return { outputFiles, metafile };
  }

  /** Counts what other bundles contain as part of this folder. */
  include(others) {
    this.#builds.push(...others.#builds);
  }

  /** Folders of the packages whose code is in the bundles. */
  get packages() {
    return [...bundledFolders(this.#builds)];
  }

  /** The licence texts of those packages. */
  licenses() {
    return thirdPartyLicenses(this.#builds);
  }
}
