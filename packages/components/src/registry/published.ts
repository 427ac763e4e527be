/** The file in the folder of a published component that names its current copy. Replacing it switches copies. */
export const publishedFile = "published.json";

/** The content of `published.json`. */
export interface Published {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  /** Folder with the component's files, beside `published.json`. */
  readonly folder: string;
  /** The entry inside `folder`. */
  readonly entry: string;
  /** The previous folder, which a reader may still use; the next publication removes it. */
  readonly previous?: string;
}

/** Maximum size of `published.json` in bytes. */
export const maxPublishedBytes: number = 64 * 1024;

/** True for the name of an entry of a folder, not a path. */
const isName = (name: string): boolean => !["", ".", ".."].includes(name) && !/[/\\\0]/.test(name);
const isInside = (path: string): boolean => path.split("/").every(isName);

/** Parses `published.json`; returns the problem when it is invalid. */
export function readPublished(text: string): Published | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `${publishedFile} is not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const { key, name, version, folder, entry, previous } = (value ?? {}) as { readonly [member: string]: unknown };
  if (
    typeof key !== "string" ||
    typeof name !== "string" ||
    typeof version !== "string" ||
    typeof folder !== "string" ||
    typeof entry !== "string"
  ) {
    return { problem: `${publishedFile} must have key, name, version, folder and entry, all of them text` };
  }
  if (!isName(folder) || !isInside(entry)) {
    return { problem: `folder and entry of ${publishedFile} must be paths below it` };
  }
  const isKnown = typeof previous === "string" && isName(previous);
  return { key, name, version, folder, entry, ...(isKnown && { previous }) };
}

export const formatPublished = (published: Published): string => `${JSON.stringify(published, null, 2)}\n`;
