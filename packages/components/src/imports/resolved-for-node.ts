import { sep } from "node:path";

import { parsePackageSpecifier } from "./package-specifier.ts";

/** Packages whose browser build loads in a sandbox but does not work there, and what it lacks. */
const nodeOnly: { readonly [name: string]: string } = {
  "@aws-sdk/xml-builder": "DOMParser",
  axios: "its adapter for `http`, by which it fails, streams and follows redirects as components expect",
  stripe: "signatures of webhooks that are checked at once: there they are checked asynchronously only",
  superagent: "XMLHttpRequest",
};

/** Also true for a second version of such a package, whose folder has a number after the name. */
export const isResolvedForNode = (name: string): boolean => Object.hasOwn(nodeOnly, name.replace(/__\d+$/, ""));

const modules = `node_modules${sep}`;

/** The name of the package that contains a folder; undefined outside of packages. */
function packageAt(folder: string): string | undefined {
  const at = folder.lastIndexOf(modules);
  return at < 0
    ? undefined
    : parsePackageSpecifier(
        folder
          .slice(at + modules.length)
          .split(sep)
          .join("/"),
      )?.name;
}

/** True when an import from that folder is resolved as in Node, whatever the conditions of the build. */
export function resolvesForNode(folder: string, specifier: string): boolean {
  const isInside = /^[./#]/.test(specifier);
  const name = isInside ? packageAt(folder) : parsePackageSpecifier(specifier)?.name;
  return name !== undefined && isResolvedForNode(name);
}
