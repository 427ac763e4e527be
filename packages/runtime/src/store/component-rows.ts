import type { Component, ComponentTexts } from "../model.ts";
import { lockKey } from "../package-lock.ts";
import { sha256Hex } from "../sha256.ts";

/** The lock of many components is the same, and longer than the rest of their records. */
export interface ComponentRows {
  /** JSON text without the lock. */
  readonly record: string;
  readonly lock: { readonly hash: string; readonly key: string; readonly record: string } | undefined;
}

export function componentRows(component: Component): ComponentRows {
  const { packageLock, packages, ...record } = component;
  if (!packageLock) return { record: JSON.stringify(component), lock: undefined };
  const lock = JSON.stringify({ packages, packageLock });
  return {
    record: JSON.stringify(record),
    lock: { hash: sha256Hex(lock), key: lockKey(packageLock), record: lock },
  };
}

/**
 * Texts of one family are much alike: the bundles of components with the same packages are those packages and some lines
 * of their own.
 */
export const familyOf = (text: keyof ComponentTexts, key: string | undefined): string | null =>
  text === "code" || key === undefined ? null : `${text} ${key}`;
