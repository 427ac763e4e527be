/** What an importer sees of a module: kinds of values by exported name, and what a first use gave. */
export interface View {
  readonly names: { readonly [name: string]: string };
  /** Of the default export, when it has any. */
  readonly defaultNames: { readonly [name: string]: string };
  /** JSON text, or what was thrown; null when nothing was tried. */
  readonly used: string | null;
}

/** What became of a package at one of the two places. */
export type Seen = { readonly view: View } | { readonly failure: string };

/** Does an import of everything lack the default export that Node makes of a CommonJS module? */
export const lacksDefault = (node: Seen, sandbox: Seen): boolean =>
  "view" in node && "view" in sandbox && "default" in node.view.names && !("default" in sandbox.view.names);

/** What Node adds to the names of a CommonJS module when an ES module imports it. */
const addedByNode = new Set(["module.exports", "__esModule"]);

function missingNames(expected: View["names"], seen: View["names"], prefix: string): string[] {
  return Object.entries(expected).flatMap(([name, kind]) => {
    if (addedByNode.has(name) || kind === "undefined") return [];
    const got = Object.hasOwn(seen, name) ? seen[name] : "missing";
    return got === kind ? [] : [`${prefix}${name}: ${got}, not ${kind}`];
  });
}

/** Names that Node's view has and the sandbox's has not, or with values of another kind. More names are no difference. */
export const differingNames = (node: View, sandbox: View): readonly string[] => [
  ...missingNames(node.names, sandbox.names, ""),
  ...missingNames(node.defaultNames, sandbox.defaultNames, "default."),
];
