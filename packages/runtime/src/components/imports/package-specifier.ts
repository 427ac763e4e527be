/** An import of a package, in its parts. */
export interface PackageSpecifier {
  readonly name: string;
  /** Tag, version or range as written. */
  readonly spec?: string;
  /** Path inside the package; empty for the package itself. */
  readonly subpath: string;
}

const form = /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@([\w.~^+-]+))?(?:\/([\w.~@+-][\w./~@+-]*))?$/i;
const address = /^(file|link|portal|workspace|patch|npm|git|git\+[a-z]+|github|gitlab|bitbucket|gist):/i;
const afterName = /^(?:@[^/@]*\/)?[^/@]+@(?=[a-z+]+:|[./])(.*)$/i;

/** Undefined for what cannot be the name of a package in a registry (R072). */
export function parsePackageSpecifier(specifier: string): PackageSpecifier | undefined {
  const [, name, spec, subpath = ""] = form.exec(specifier) ?? [];
  if (name === undefined || specifier.split("/").includes("..")) return undefined;
  return { name, subpath, ...(spec !== undefined && { spec }) };
}

/** Why a specifier that means a package is not one of a registry; undefined for anything else. */
export function findRefusal(specifier: string): string | undefined {
  const wanted = afterName.exec(specifier)?.[1] ?? specifier;
  const scheme = address.exec(wanted)?.[1];
  if (scheme !== undefined) return `"${scheme}:" is no way to name a package; ${instead}`;
  if (/^https?:.*\.(?:tgz|tar\.gz)(?:[?#].*)?$/i.test(wanted)) return `it names an archive; ${instead}`;
  if (wanted !== specifier) return `what follows the name is no version; ${instead}`;
  return specifier.startsWith("-") ? `it looks like an option; ${instead}` : undefined;
}

const instead = "import packages of a registry by their name, with a version or range if need be";
