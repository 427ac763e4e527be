import type { Manifest } from "pacote";

/** The kind of a value, after "got". */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return value === null ? "null" : "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

const isText = (value: unknown): boolean => typeof value === "string";
/** npm takes what counts as false for what is not there. */
const isTexts = (value: unknown): boolean => !value || isText(value) || (Array.isArray(value) && value.every(isText));

/** Why npm's libraries cannot work with what a package says of itself; undefined where they can. They look at none of it. */
export function findManifestProblem(manifest: Manifest): string | undefined {
  const { os, cpu, libc, acceptDependencies, dist } = manifest;
  const { name: packageName, version }: { readonly [field in "name" | "version"]: unknown } = manifest;
  for (const [field, value] of Object.entries({ name: packageName, version }))
    if (!isText(value)) return `"${field}" in its manifest must be a text, got ${kindOf(value)}`;
  for (const [field, value] of Object.entries({ os, cpu, libc }))
    if (!isTexts(value)) return `"${field}" in its manifest must be a text or a list of texts, got ${kindOf(value)}`;
  for (const [name, value] of Object.entries(acceptDependencies ?? {}))
    if (!isText(value))
      return `"acceptDependencies" in its manifest must give "${name}" a range as text, got ${kindOf(value)}`;
  const tarball: unknown = (dist as { readonly tarball?: unknown } | null | undefined)?.tarball;
  return isText(tarball)
    ? undefined
    : `"dist.tarball" in its manifest must be the address of its archive, got ${kindOf(tarball)}`;
}
