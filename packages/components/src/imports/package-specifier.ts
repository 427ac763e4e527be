/** The parts of an import of a package. */
export interface PackageSpecifier {
  readonly name: string;
  /** Tag, version or range as written. */
  readonly spec?: string;
  /** Path inside the package; empty for the package itself. */
  readonly subpath: string;
}

/** `name`, `@scope/name`, with `@version` and a path if needed. */
const form = /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@([\w.~^+-]+))?(?:\/([\w.~@+-][\w./~@+-]*))?$/i;
/** Schemes that npm accepts in place of a version. */
const address = /^(file|link|portal|workspace|patch|npm|git|git\+[a-z]+|github|gitlab|bitbucket|gist):/i;
/** Captures an address or a path after the name, as in `name@git+https://…`. */
const afterName = /^(?:@[^/@]*\/)?[^/@]+@(?=[a-z+]+:|[./])(.*)$/i;

/** Parses a specifier; undefined when it cannot name a package in a registry. */
export function parsePackageSpecifier(specifier: string): PackageSpecifier | undefined {
  const [, name, spec, subpath = ""] = form.exec(specifier) ?? [];
  if (name === undefined || specifier.split("/").includes("..")) return undefined;
  return { name, subpath, ...(spec !== undefined && { spec }) };
}

/** The reason why a specifier cannot name a package of a registry; undefined for other specifiers. */
export function findRefusal(specifier: string): string | undefined {
  const wanted = afterName.exec(specifier)?.[1] ?? specifier;
  const scheme = address.exec(wanted)?.[1];
  if (scheme !== undefined) return `"${scheme}:" cannot name a package; ${instead}`;
  const [location = ""] = wanted.split(/[?#]/, 1);
  if (/^https?:/i.test(location) && /\.(?:tgz|tar\.gz)$/i.test(location)) return `it names an archive; ${instead}`;
  if (wanted !== specifier) return `the part after the name is not a version; ${instead}`;
  return specifier.startsWith("-") ? `it looks like an option; ${instead}` : undefined;
}

const instead = "import packages of a registry by their name, with a version or range if needed";
