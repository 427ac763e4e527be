import { createRequire } from "node:module";

import type { satisfies, validRange } from "semver";

/** Loaded when it is needed: few imports name a version. */
const semver = (): { satisfies: typeof satisfies; validRange: typeof validRange } =>
  createRequire(import.meta.url)("semver") as { satisfies: typeof satisfies; validRange: typeof validRange };

/** True for a version, and for a range of versions as npm reads it. */
export const isRange = (text: string): boolean => semver().validRange(text) !== null;

/** False for a text that is no range, such as a tag. */
export const isInRange = (version: string, range: string): boolean => semver().satisfies(version, range);
