import { axiosOverFetch, axiosSendsByFetch } from "./axios-over-fetch.ts";
import type { PackageFile } from "./package-source.ts";

/** Text for a file of the version of its package. */
type StandIn = (version: string) => string | undefined;

/**
 * Modules of packages that their package takes only where there is something that no sandbox has, and what each is there:
 * left out of the bundle, the same is taken as before.
 */
const standIns: { readonly [packageName: string]: { readonly [file: string]: StandIn } } = {
  axios: {
    // The adapter that is tried first. With the value `false` axios goes on to others.
    "lib/adapters/xhr.js": (version) => (axiosSendsByFetch(version) ? axiosOverFetch : "export default false;"),
    // The same modules once more, in one file.
    "dist/browser/axios.cjs": (version) =>
      axiosSendsByFetch(version) ? `module.exports = require("../../index.js").default;` : undefined,
    // There is no document.
    "lib/helpers/cookies.js": () =>
      "export default { write() {}, read: () => null, readAsync: () => Promise.resolve(null), remove() {} };",
    "lib/helpers/isURLSameOrigin.js": () => "export default () => true;",
  },
};

/** The text that stands for a file; undefined for nearly all. */
export const findStandIn = ({ subpath, package: { name, version } }: PackageFile): string | undefined =>
  standIns[name]?.[subpath]?.(version);
