// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

export interface Project {
  /** Unique in the account. */
  readonly name: string;
  /** Counts changes, from 1. */
  readonly revision: number;
  readonly resources: readonly ProjectResource[];
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
}

export interface ProjectResource {
  /** What it is. */
  readonly kind: "account" | "endpoint" | "webhook" | "source" | "subscription";
  /** Its name in the project. */
  readonly name: string;
  /** Null: it is about to be made. */
  readonly id: string | null;
  /** False: it was there before, so the project never removes it. */
  readonly made: boolean;
  /** Tells whether a secret is still the one that the project set; null without one. */
  readonly fingerprint: string | null;
}
