import type { AnyNode, Program } from "acorn";

import { nameOf, walk, type NodePath } from "./tree.ts";

const isProps = (path: NodePath | undefined): boolean =>
  path?.node.type === "Property" && nameOf(path.node.key, path.node.computed) === "props";

/** The declaration of each prop: in an object named `props`, else in any object; only when it is unique. */
export function findDeclarations(tree: Program, names: readonly string[]): ReadonlyMap<string, AnyNode> {
  const candidates = new Map(names.map((name) => [name, { inProps: [] as AnyNode[], anywhere: [] as AnyNode[] }]));
  for (const { node, parent } of walk(tree)) {
    if (node.type !== "Property" || parent?.node.type !== "ObjectExpression") continue;
    const known = candidates.get(nameOf(node.key, node.computed) ?? "");
    known?.anywhere.push(node);
    if (isProps(parent.parent)) known?.inProps.push(node);
  }
  const certain = new Map<string, AnyNode>();
  for (const [name, { inProps, anywhere }] of candidates) {
    const [first, second] = inProps.length > 0 ? inProps : anywhere;
    if (first && !second) certain.set(name, first);
  }
  return certain;
}

/** Whether any prop may be read here: `this` is used other than as `this.name` or in a destructuring of names. */
function mayReadAnyProp({ node, parent }: NodePath): boolean {
  if (node.type !== "ThisExpression" || !parent) return false;
  const around = parent.node;
  if (around.type === "MemberExpression") return around.computed && around.property.type !== "Literal";
  if (around.type !== "VariableDeclarator" && around.type !== "AssignmentExpression") return true;
  const target = around.type === "VariableDeclarator" ? around.id : around.left;
  if (target.type !== "ObjectPattern") return true;
  return target.properties.some((each) => each.type === "RestElement" || each.computed);
}

const words = /[\p{ID_Continue}$]+/gu;

/**
 * The names that the code has only in their declaration; none when props may be read by names that are built at run time.
 * `shown` are labels and descriptions, which may name props without using them.
 */
export function findUnused(tree: Program, names: readonly string[], shown: ReadonlySet<string>): string[] {
  const declared = new Set(
    [...findDeclarations(tree, names).values()].flatMap((node) => ("key" in node ? [node.key] : [])),
  );
  const used = new Set<string>();
  for (const path of walk(tree)) {
    if (mayReadAnyProp(path)) return [];
    const { node } = path;
    if (declared.has(node as never)) continue;
    if (node.type === "Identifier") used.add(node.name);
    const text = node.type === "Literal" ? node.value : node.type === "TemplateElement" ? node.value.cooked : undefined;
    if (typeof text === "string" && !shown.has(text)) for (const [word] of text.matchAll(words)) used.add(word);
  }
  return names.filter((name) => !used.has(name));
}
