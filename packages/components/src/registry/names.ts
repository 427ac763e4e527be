import { basename, dirname, extname } from "node:path";

const scripts: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

/** True for files that can be part of a component. Other files cannot change one. */
export const isCode = (name: string): boolean => scripts.has(extname(name)) || /\.(?:json|jsx|tsx)$/.test(name);

const noComponent = /(?:\.(?:app|test|spec|config|d)|^test-event)\.[mc]?[jt]s$/;

/** True when a file may export a component, by its name: not an app, test, sample event, tool configuration, declaration or hidden file. */
export const isCandidate = (name: string): boolean =>
  !name.startsWith(".") && scripts.has(extname(name)) && !noComponent.test(name);

/** True for a file with a shared app, by its name. */
export const isApp = (path: string): boolean => /\.app\.[mc]?[jt]s$/.test(path);

/** True for folders that a scan skips. */
export const isSkippedFolder = (name: string): boolean => name.startsWith(".") || name === "node_modules";

/**
 * The path as an import without an extension may name it. Two files with the same stem compete for such an import.
 */
export function stem(path: string): string {
  const bare = path.slice(0, path.length - extname(path).length);
  return basename(bare) === "index" ? dirname(bare) : bare;
}

/** True when a file's name fits the key: `acme-new-order` may be in `…/new-order/new-order.mjs`. */
export function suggestsKey(path: string, key: string): boolean {
  const name = basename(stem(path));
  return name !== "" && (key === name || key.endsWith(`-${name}`));
}

const longestFolderName = 200;

/** The folder name for a component's key; undefined when no folder can have such a name. */
export function folderOfKey(key: string): string | undefined {
  if (!key.isWellFormed()) return undefined;
  const plain = encodeURIComponent(key).replaceAll("*", "%2A");
  const name = isSkippedFolder(plain) ? `%${plain.charCodeAt(0).toString(16).toUpperCase()}${plain.slice(1)}` : plain;
  return name.length > longestFolderName ? undefined : name;
}
