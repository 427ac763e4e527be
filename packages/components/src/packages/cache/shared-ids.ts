/** File in the folder of a shared package with its content. */
export const contentFile = "content.json";

/** A shared package: its archive's bytes, and its files with their bytes, by path below `package`. */
export interface SharedContent {
  /** Compressed. */
  readonly archiveBytes: number;
  readonly files: readonly (readonly [path: string, bytes: number])[];
}

/** File in a tree with the ids of the shared packages that it has links to, as JSON. */
export const sharedIdsFile = ".shared.json";
