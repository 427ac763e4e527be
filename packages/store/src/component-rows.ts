import { lockKey, sha256Hex, type Component, type ComponentTexts } from "@x/model";

/** A component without its lock, which many components share and which is longer than the rest. */
export interface ComponentRows {
  /** JSON text without the lock. */
  readonly record: string;
  readonly lock: { readonly hash: string; readonly key: string; readonly record: string } | undefined;
  /** Equal for components with the same packages; undefined without packages. */
  readonly likeness: string | undefined;
}

/** For packages in the author's own `node_modules`, which have no lock. */
const likenessOf = (packages: Component["packages"]): string | undefined =>
  packages && sha256Hex(JSON.stringify(packages.map(({ name, version }) => [name, version])));

export function componentRows(component: Component): ComponentRows {
  const { packageLock, packages, ...record } = component;
  if (!packageLock) return { record: JSON.stringify(component), lock: undefined, likeness: likenessOf(packages) };
  const lock = JSON.stringify({ packages, packageLock });
  const key = lockKey(packageLock);
  return { record: JSON.stringify(record), lock: { hash: sha256Hex(lock), key, record: lock }, likeness: key };
}

/**
 * Texts of one family are similar: bundles of components with the same packages consist mostly of those packages, in which
 * the bundler's names differ from bundle to bundle. Null for other texts: their contents tell what they resemble.
 */
export const familyOf = (text: keyof ComponentTexts, likeness: string | undefined): string | null =>
  text === "code" || likeness === undefined ? null : `${text} ${likeness}`;
