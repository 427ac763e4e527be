import type { Component, ComponentTexts } from "../../model/model.ts";
import { lockKey } from "../../model/package-lock.ts";
import { sha256Hex } from "../../process/sha256.ts";

/** The lock of many components is the same, and longer than the rest of their records. */
export interface ComponentRows {
  /** JSON text without the lock. */
  readonly record: string;
  readonly lock: { readonly hash: string; readonly key: string; readonly record: string } | undefined;
  /** The same for components with the same packages; undefined without any. */
  readonly likeness: string | undefined;
}

/** Of packages that lie beside the author's files. */
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
 * Texts of one family are much alike: the bundles of components with the same packages are those packages and some lines
 * of their own.
 */
export const familyOf = (text: keyof ComponentTexts, likeness: string | undefined): string | null =>
  text === "code" || likeness === undefined ? null : `${text} ${likeness}`;
