/** What a project can manage. */
export const projectKinds = ["account", "endpoint", "webhook", "source", "subscription"] as const;

export type ProjectKind = (typeof projectKinds)[number];

/** A resource that a project wants. */
export interface ProjectResource {
  readonly kind: ProjectKind;
  /** Its name in the project. */
  readonly name: string;
  /** Null: it is about to be made. */
  readonly id: string | null;
  /** False: it was there before, so the project never removes it. */
  readonly made: boolean;
  /** Tells whether a secret that cannot be read back is still the one that the project set; null without one. */
  readonly fingerprint: string | null;
}

/** The record of what a project has made: a set of resources that are kept as a file describes them. */
export interface Project {
  readonly userId: string;
  /** Unique for the user. */
  readonly name: string;
  /** Counts changes, from 1. */
  readonly revision: number;
  readonly resources: readonly ProjectResource[];
  readonly createdAt: number;
  readonly updatedAt: number;
}
