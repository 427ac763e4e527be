import { basename, dirname, extname } from "node:path";

const scripts: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

/** True for files that components can be made of; a change of others changes no component. */
export const isCode = (name: string): boolean => scripts.has(extname(name)) || name.endsWith(".json");

const noComponent = /(?:\.(?:app|test|spec|config|d)|^test-event)\.[mc]?[jt]s$/;

/** True for files that may export a component, by their name alone: no apps, tests, sample events, settings of tools, declarations and hidden files. */
export const isCandidate = (name: string): boolean =>
  !name.startsWith(".") && scripts.has(extname(name)) && !noComponent.test(name);

/** True for folders that are not looked into. */
export const isSkippedFolder = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/**
 * What an import of this path may be written as, without an extension: two files with the same stem stand in each
 * other's way.
 */
export function stem(path: string): string {
  const bare = path.slice(0, path.length - extname(path).length);
  return basename(bare) === "index" ? dirname(bare) : bare;
}

/** True when a file's name suggests the key: `acme-new-order` may be in `…/new-order/new-order.mjs`. */
export function suggestsKey(path: string, key: string): boolean {
  const name = basename(stem(path));
  return name !== "" && (key === name || key.endsWith(`-${name}`));
}

const longestFolderName = 200;

/** The folder name for a component's key; undefined when the key cannot have one. */
export function folderOfKey(key: string): string | undefined {
  if (!key.isWellFormed()) return undefined;
  const plain = encodeURIComponent(key).replaceAll("*", "%2A");
  const name = isSkippedFolder(plain) ? `%${plain.charCodeAt(0).toString(16).toUpperCase()}${plain.slice(1)}` : plain;
  return name.length > longestFolderName ? undefined : name;
}
