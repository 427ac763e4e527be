import { createRequire } from "node:module";

import type { satisfies, validRange } from "semver";

/** Loaded on demand: few imports name a version. */
const semver = (): { satisfies: typeof satisfies; validRange: typeof validRange } =>
  createRequire(import.meta.url)("semver") as { satisfies: typeof satisfies; validRange: typeof validRange };

/** True for a version or range, as npm parses it. */
export const isRange = (text: string): boolean => semver().validRange(text) !== null;

/** True when the version satisfies the range; false for a tag. */
export const isInRange = (version: string, range: string): boolean => semver().satisfies(version, range);
