import { axiosModules, type StandIn } from "./axios-modules.ts";
import type { PackageFile } from "./package-source.ts";

/** Modules of packages that need less, or more, than in Node; what a package does stays as it is. */
const standIns: { readonly [packageName: string]: { readonly [file: string]: StandIn } } = {
  axios: axiosModules,
  // It says what it does when it is debugged, and loads a package for that at its first request.
  "follow-redirects": { "debug.js": () => "module.exports = () => {};" },
};

/** The text that stands for a file; nearly always its own. */
export const standInFor = ({ subpath, package: { name, version } }: PackageFile, text: string): string =>
  standIns[name]?.[subpath]?.(text, version) ?? text;
