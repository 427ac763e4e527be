import type { AnyNode } from "acorn";

import { childrenOf } from "../imports/syntax-tree.ts";
import { type CodeMember, type Exported, plainName } from "./exported.ts";

/** A member of `this` that the code reads. */
export interface ThisRead {
  readonly name: string;
  /** JSON pointer to the function that reads it. */
  readonly path: string;
  /** Index into the bundle. */
  readonly at: number;
}

/** How one function uses the members of its `this`. */
interface Uses {
  readonly reads: readonly { readonly name: string; readonly at: number; readonly isTested: boolean }[];
  readonly writes: readonly string[];
}

interface Placed {
  readonly node: AnyNode;
  readonly parent: Placed | undefined;
}

interface OwnFunction {
  readonly path: string;
  readonly node: AnyNode;
  readonly isOwn: boolean;
}

const hasOwnThis: readonly string[] = [
  "FunctionExpression",
  "FunctionDeclaration",
  "ClassExpression",
  "ClassDeclaration",
];

/** The nodes in which `this` is that of the function. */
function* nodesOf(fn: AnyNode): Generator<Placed> {
  const left: Placed[] = [{ node: fn, parent: undefined }];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
    for (const node of childrenOf(next.node).toReversed())
      if (!hasOwnThis.includes(node.type)) left.push({ node, parent: next });
  }
}

/** True for the target of an assignment. */
function isTarget({ node, parent }: Placed): boolean {
  const around = parent?.node;
  switch (around?.type) {
    case "AssignmentExpression":
    case "AssignmentPattern":
    case "ForInStatement":
    case "ForOfStatement":
      return around.left === node;
    case "UpdateExpression":
    case "ArrayPattern":
    case "RestElement":
      return true;
    case "UnaryExpression":
      return around.operator === "delete";
    case "Property":
      return parent?.parent?.node.type === "ObjectPattern" && around.value === node;
    default:
      return false;
  }
}

/** True when the code tests whether the member exists. */
function isTested({ node, parent }: Placed): boolean {
  const around = parent?.node;
  switch (around?.type) {
    case "IfStatement":
    case "ConditionalExpression":
      return around.test === node;
    case "LogicalExpression":
      return true;
    case "BinaryExpression":
      return /^[!=]==?$/.test(around.operator);
    case "UnaryExpression":
      return around.operator === "typeof" || around.operator === "!";
    case "MemberExpression":
      return around.optional && around.object === node;
    case "CallExpression":
      return around.optional && around.callee === node;
    default:
      return false;
  }
}

/** Undefined when `this` is passed on, or members have computed names: other code may then set members. */
function usesOf(fn: AnyNode): Uses | undefined {
  const reads: Uses["reads"][number][] = [];
  const writes: string[] = [];
  for (const placed of nodesOf(fn)) {
    if (placed.node.type !== "ThisExpression") continue;
    const member = placed.parent;
    const around = member?.node;
    if (around?.type === "MemberExpression" && around.object === placed.node) {
      const name = plainName(around.property, around.computed);
      if (name === undefined || !member) return undefined;
      if (isTarget(member)) writes.push(name);
      else reads.push({ name, at: around.property.start, isTested: isTested(member) });
      continue;
    }
    const names =
      around?.type === "VariableDeclarator"
        ? around.id
        : around?.type === "AssignmentExpression"
          ? around.left
          : undefined;
    if (names?.type !== "ObjectPattern") return undefined;
    for (const each of names.properties) {
      const name = each.type === "Property" ? plainName(each.key, each.computed) : undefined;
      if (name !== undefined && each.type === "Property")
        reads.push({ name, at: each.start, isTested: each.value.type === "AssignmentPattern" });
    }
  }
  return { reads, writes };
}

const isMethod = ({ property: { value } }: CodeMember): boolean => value.type === "FunctionExpression";

const functionsIn = (members: ReadonlyMap<string, CodeMember>, path: string): [string, OwnFunction][] =>
  [...members]
    .filter(([, member]) => isMethod(member))
    .map(([name, { property, isOwn }]) => [name, { path: `${path}/${name}`, node: property.value, isOwn }]);

/** The functions that the runtime calls, and all methods by name. */
function functionsOf({ node, membersOf }: Exported): { called: OwnFunction[]; methods: Map<string, OwnFunction> } {
  const members = membersOf(node);
  const inside = (name: string): [string, OwnFunction][] => {
    const member = members.get(name);
    if (!member) return [];
    const { value } = member.property;
    const isOwn = member.isOwn && value.type === "ObjectExpression";
    return functionsIn(membersOf(value), `/${name}`).map(([own, each]) => [
      own,
      { ...each, isOwn: isOwn && each.isOwn },
    ]);
  };
  const run = functionsIn(members, "").filter(([name]) => name === "run");
  const methods = new Map(inside("methods"));
  const own = [...methods.values()].filter(({ isOwn }) => isOwn);
  return { called: [...[...run, ...inside("hooks")].map(([, each]) => each), ...own], methods };
}

/**
 * The members of `this` that the component reads, that are not `known` and that no code sets; each name once. Includes
 * spread methods only when they are called, and allows them to test whether a member exists. Empty when `this` is passed
 * on, because other code may then set members.
 */
export function undeclaredReads(exported: Exported, known: ReadonlySet<string>): ThisRead[] {
  const { called, methods } = functionsOf(exported);
  const reached = new Set<OwnFunction>(called);
  const written = new Set<string>();
  const found = new Map<string, ThisRead>();
  for (const each of reached) {
    const uses = usesOf(each.node);
    if (!uses) return [];
    for (const name of uses.writes) written.add(name);
    const tested = new Set(uses.reads.flatMap((read) => (read.isTested && !each.isOwn ? [read.name] : [])));
    for (const { name, at } of uses.reads) {
      const method = methods.get(name);
      if (method) reached.add(method);
      if (known.has(name) || found.has(name) || tested.has(name)) continue;
      found.set(name, { name, path: each.path, at });
    }
  }
  return [...found.values()].filter(({ name }) => !written.has(name)).toSorted((a, b) => a.at - b.at);
}
