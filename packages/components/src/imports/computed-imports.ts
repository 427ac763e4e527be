import type { AnyNode, CallExpression, Program } from "acorn";
import type { Loader } from "esbuild";

import { childrenOf, findTree } from "./syntax-tree.ts";
import { respell } from "./respell.ts";

/** Matches import calls, also with escapes and comments, but no static imports. */
const likeImportCall = /(?:import|require)\s*(?:[(/?.)]|["']\])|\\u(?:\{0*|00)[67]/;
const plainCalls = /(?<![\w$.])(?:import|require)\(\s*(?:"[^"\\\n]*"|'[^'\\\n]*')\s*\)/g;
const importMeta = /\bimport\s*\.\s*meta\b/g;
const importPhases = /\bimport\s*\.\s*(?:defer|source)\b/g;

/** A call that imports a path that is computed at run time. */
export interface ComputedImport {
  readonly callee: "import" | "require";
  /** Position of the called name, in characters. */
  readonly start: number;
  readonly end: number;
}

/** A fast check: false for most code without computed imports. */
export const mayHaveComputedImport = (code: string): boolean =>
  likeImportCall.test(code.replaceAll(plainCalls, "").replaceAll(importMeta, ""));

/** The imports for which esbuild would search folders; undefined when the code cannot be parsed. */
export function findComputedImports(code: string): ComputedImport[] | undefined {
  // The parser does not support import phases yet.
  const tree = findTree(code.replaceAll(importPhases, (text) => "import".padEnd(text.length)));
  if (!tree) return undefined;
  const found: ComputedImport[] = [];
  const nodes: { readonly node: AnyNode; readonly isOwn: boolean }[] = [{ node: tree, isOwn: declaresRequire(tree) }];
  for (let next = nodes.pop(); next; next = nodes.pop()) {
    const { node } = next;
    const isOwn = next.isOwn || ("params" in node && node.params.some(isNamedRequire));
    if (node.type === "ImportExpression" && isComputed(node.source)) {
      const phase = importPhases.exec(code.slice(node.start, node.source.start))?.[0] ?? "import";
      importPhases.lastIndex = 0;
      found.push({ callee: "import", start: node.start, end: node.start + phase.length });
    } else if (node.type === "CallExpression" && isRequire(node, isOwn) && isComputed(node.arguments[0])) {
      found.push({ callee: "require", start: node.callee.start, end: node.callee.end });
    }
    for (const child of childrenOf(node)) nodes.push({ node: child, isOwn });
  }
  return found.toSorted((one, other) => one.start - other.start);
}

const isNamedRequire = (node: AnyNode): boolean => node.type === "Identifier" && node.name === "require";

/** True when the module declares its own `require`. */
const declaresRequire = ({ body }: Program): boolean =>
  body.some((node) => {
    if (node.type === "VariableDeclaration") return node.declarations.some(({ id }) => isNamedRequire(id));
    if (node.type === "ImportDeclaration") return node.specifiers.some(({ local }) => isNamedRequire(local));
    return node.type === "FunctionDeclaration" && isNamedRequire(node.id);
  });

/** True for `require(…)`, unless the code declares that function, and for `module.require(…)`. */
function isRequire({ callee }: CallExpression, isOwn: boolean): boolean {
  if (callee.type === "SequenceExpression") return callee.expressions.some(isNamedRequire);
  if (callee.type !== "MemberExpression") return !isOwn && isNamedRequire(callee);
  const { object, property, computed } = callee;
  const name = !computed && property.type === "Identifier" ? property.name : literalOf(property);
  return name === "require" && object.type === "Identifier" && object.name === "module";
}

/** True for a concatenation or template, also as a branch of a conditional. `__dirname` has a known value. */
function isComputed(path: AnyNode | undefined): boolean {
  switch (path?.type) {
    case "TemplateLiteral":
      return path.expressions.length > 0;
    case "BinaryExpression":
      return path.operator === "+" && !isFolder(firstOf(path)) && literalOf(path) === undefined;
    case "ConditionalExpression":
      return isComputed(path.consequent) || isComputed(path.alternate);
    case "SequenceExpression":
      return isComputed(path.expressions.at(-1));
    default:
      return false;
  }
}

function firstOf(path: AnyNode): AnyNode {
  let first = path;
  while (first.type === "BinaryExpression") first = first.left;
  return first;
}

const isFolder = (node: AnyNode): boolean => node.type === "Identifier" && node.name === "__dirname";

/** The value of a string literal or of a concatenation of literals; undefined for other expressions. */
function literalOf(node: AnyNode): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "BinaryExpression" || node.operator !== "+") return undefined;
  const [left, right] = [literalOf(node.left), literalOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Functions to call instead, whose names are as long as the originals or shorter, so that positions do not change. */
const replacements = { require: "$equire", import: "$mport" } as const;
const definitions = {
  require: `function $equire(path) { throw Object.assign(new Error("Cannot find module '" + path + "': paths that are put together at run time are not bundled"), { code: "MODULE_NOT_FOUND" }); }`,
  import: `async function $mport(path) { throw Object.assign(new Error("Cannot find module '" + path + "': paths that are put together at run time are not bundled"), { code: "ERR_MODULE_NOT_FOUND" }); }`,
};

/** Replaces computed imports; positions do not change. */
function replaceComputed(code: string, computed: readonly ComputedImport[]): string {
  if (computed.length === 0) return code;
  const parts: string[] = [];
  let from = 0;
  for (const { callee, start, end } of computed) {
    parts.push(code.slice(from, start), replacements[callee].padEnd(end - start));
    from = end;
  }
  const added = [...new Set(computed.map(({ callee }) => definitions[callee]))];
  return `${parts.join("")}${code.slice(from)}\n${added.join("\n")}\n`;
}

/**
 * Makes imports of computed paths in a package's code throw, because esbuild would search the host's disk for them. Code
 * that only esbuild can parse throws as a whole. Rejects with esbuild's error when it is not valid code.
 */
export async function withoutComputedCalls(text: string, sourcefile: string, loader: Loader): Promise<string> {
  if (!mayHaveComputedImport(text)) return text;
  const computed = findComputedImports(text);
  if (computed) return replaceComputed(text, computed);
  const { code } = await respell(text, sourcefile, loader);
  const left = findComputedImports(code);
  if (left?.length === 0) return code;
  if (left) return replaceComputed(code, left);
  return `throw new SyntaxError(${JSON.stringify(`${sourcefile} cannot be read`)});`;
}
