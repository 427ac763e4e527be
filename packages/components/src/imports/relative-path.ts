import { posix } from "node:path";

/** True for a name, relative to the root, that leads out of the root. */
export const isOutside = (name: string): boolean => name === ".." || name.startsWith("../");

/** The path from a folder to a name, both relative to the root, in the form of a relative import. */
export function relativePath(folder: string, name: string): string {
  if (isOutside(name)) return (folder === "." ? "" : "../".repeat(folder.split("/").length)) + name;
  const path = posix.relative(folder, name);
  return isOutside(path) ? path : `./${path}`;
}
