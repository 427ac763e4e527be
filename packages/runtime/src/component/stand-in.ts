import type { PackageFile } from "./package-source.ts";

/**
 * Modules of packages that their package takes only where there is something that no sandbox has, and what each is there:
 * left out of the bundle, the same is taken as before.
 */
const standIns: { readonly [packageName: string]: { readonly [file: string]: string } } = {
  axios: {
    // Without XMLHttpRequest its value is `false`, and axios goes on to `fetch`.
    "lib/adapters/xhr.js": "export default false;",
    // There is no document.
    "lib/helpers/cookies.js":
      "export default { write() {}, read: () => null, readAsync: () => Promise.resolve(null), remove() {} };",
    "lib/helpers/isURLSameOrigin.js": "export default () => true;",
  },
};

/** The text that stands for a file; undefined for nearly all. */
export function findStandIn({ name, package: { name: packageName } }: PackageFile): string | undefined {
  // A second version of a package shows its number.
  const path = name.slice(packageName.length).replace(/^@[^/]+/, "");
  return standIns[packageName]?.[path.slice(1)];
}
