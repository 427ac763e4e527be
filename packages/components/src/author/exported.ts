import type { AnyNode, ObjectExpression, Program, Property } from "acorn";

import { createBudget } from "@x/model";
import { childrenOf, findTree } from "../imports/syntax-tree.ts";

/** A member of an object literal. */
export interface CodeMember {
  readonly property: Property;
  /** False for a member that was spread into the object. */
  readonly isOwn: boolean;
}

/** The export of a bundle as a syntax tree. */
export interface Exported {
  readonly node: AnyNode;
  /** The members of an object by name; only definite ones. */
  membersOf(node: AnyNode): ReadonlyMap<string, CodeMember>;
}

const deepest = 16;
const stepsPerMember = 10;
/** Parsing a bundle of this size takes up to 0.1 seconds. */
const maxChars = 256 * 1024;

/** The name of a member; undefined when it is computed. */
export function plainName(key: AnyNode, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

/** A node and all below it. */
export function* nodesOf(tree: AnyNode): Generator<AnyNode> {
  const left: AnyNode[] = [tree];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
    for (const node of childrenOf(next)) left.push(node);
  }
}

/** True for `module.exports`. */
export const isModuleExports = (node: AnyNode): boolean =>
  node.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  node.object.name === "module" &&
  node.property.type === "Identifier" &&
  node.property.name === "exports";

/** The name that `default` has in `__export(NAME, { default: () => … })`. */
function defaultIn(getters: AnyNode | undefined): AnyNode | undefined {
  if (getters?.type !== "ObjectExpression") return undefined;
  for (const each of getters.properties)
    if (
      each.type === "Property" &&
      plainName(each.key, each.computed) === "default" &&
      each.value.type === "ArrowFunctionExpression"
    )
      return each.value.body;
  return undefined;
}

interface Names {
  /** The value of each variable; undefined when it has several. */
  readonly values: ReadonlyMap<string, AnyNode | undefined>;
  /** The default exports of modules, by the name of the module's exports. */
  readonly defaults: ReadonlyMap<string, AnyNode>;
  readonly exported: AnyNode | undefined;
}

function readNames(tree: Program): Names {
  const values = new Map<string, AnyNode | undefined>();
  const defaults = new Map<string, AnyNode>();
  const set = (target: AnyNode, value: AnyNode | null | undefined): void => {
    if (target.type === "Identifier" && value) values.set(target.name, values.has(target.name) ? undefined : value);
  };
  let exported: AnyNode | undefined;
  for (const node of nodesOf(tree)) {
    if (node.type === "VariableDeclarator") set(node.id, node.init);
    if (node.type === "AssignmentExpression") {
      set(node.left, node.right);
      if (isModuleExports(node.left)) exported = node.right;
    }
    if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "__export")
      continue;
    const [module, getters] = node.arguments;
    const value = defaultIn(getters);
    if (module?.type === "Identifier" && value) defaults.set(module.name, value);
  }
  return { values, defaults, exported };
}

/** The default export in `__toCommonJS(NAME)`, else the assigned value. */
function exportedNode({ exported, defaults, values }: Names): AnyNode | undefined {
  let node = exported;
  if (node?.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "__toCommonJS") {
    const [module] = node.arguments;
    node = module?.type === "Identifier" ? defaults.get(module.name) : undefined;
  }
  return node?.type === "Identifier" ? (values.get(node.name) ?? node) : node;
}

/** The export of a bundle; undefined when it is ambiguous, or the bundle cannot be parsed. */
export function findExported(bundle: string): Exported | undefined {
  const tree = bundle.length > maxChars ? undefined : findTree(bundle);
  const names = tree && readNames(tree);
  const node = names && exportedNode(names);
  if (!names || !node) return undefined;

  const budget = createBudget();
  const known = new Map<ObjectExpression, Map<string, CodeMember>>();
  const none: ReadonlyMap<string, CodeMember> = new Map();

  function objectOf(at: AnyNode, depth: number): ObjectExpression | undefined {
    if (depth > deepest) return undefined;
    if (at.type === "ObjectExpression") return at;
    if (at.type === "Identifier") {
      const value = names?.values.get(at.name);
      return value && objectOf(value, depth + 1);
    }
    if (at.type === "MemberExpression") {
      const name = plainName(at.property, at.computed);
      const member = name === undefined ? undefined : members(at.object, depth + 1).get(name);
      return member && objectOf(member.property.value, depth + 1);
    }
    if (at.type !== "CallExpression" || at.callee.type !== "Identifier" || !/^define[A-Z]/.test(at.callee.name))
      return undefined;
    const [given] = at.arguments;
    return given && objectOf(given, depth + 1);
  }

  function members(at: AnyNode, depth: number): ReadonlyMap<string, CodeMember> {
    const object = objectOf(at, depth);
    if (!object) return none;
    const before = known.get(object);
    if (before) return before;
    const found = new Map<string, CodeMember>();
    known.set(object, found);
    for (const each of object.properties) {
      if (each.type === "SpreadElement") {
        // An unknown object may override any member.
        if (!objectOf(each.argument, depth + 1)) found.clear();
        const spread = members(each.argument, depth + 1);
        if (!budget.take(spread.size * stepsPerMember)) break;
        for (const [name, { property }] of spread) found.set(name, { property, isOwn: false });
        continue;
      }
      const name = plainName(each.key, each.computed);
      if (name === undefined) found.clear();
      else found.set(name, { property: each, isOwn: true });
    }
    // What comes after the last one that was read may override any member.
    if (!budget.take(0)) found.clear();
    return found;
  }

  return { node, membersOf: (at) => members(at, 0) };
}
