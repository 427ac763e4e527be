import { sep } from "node:path";

import { parsePackageSpecifier } from "./package-specifier.ts";

/** Packages whose build for browsers loads in a sandbox, and then cannot do what components ask of it; and what it lacks. */
const taken: { readonly [name: string]: string } = {
  "@aws-sdk/xml-builder": "DOMParser",
  axios: "its adapter for `http`, by which it fails, streams and follows redirects as components expect",
  stripe: "signatures of webhooks that are checked at once: there they are checked asynchronously only",
  superagent: "XMLHttpRequest",
};

/** A second version, whose folder has a number behind the name, too. */
export const isResolvedForNode = (name: string): boolean => Object.hasOwn(taken, name.replace(/__\d+$/, ""));

const modules = `node_modules${sep}`;

/** The name of the package that a folder lies in; undefined outside of packages. */
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

/** Is an import of files in that folder resolved as Node does, whatever conditions hold elsewhere? */
export function resolvesForNode(folder: string, specifier: string): boolean {
  const isInside = /^[./#]/.test(specifier);
  const name = isInside ? packageAt(folder) : parsePackageSpecifier(specifier)?.name;
  return name !== undefined && isResolvedForNode(name);
}
