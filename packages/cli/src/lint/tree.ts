import { type AnyNode, parse, type Program } from "acorn";

/** A node with its ancestors. */
export interface NodePath {
  readonly node: AnyNode;
  readonly parent: NodePath | undefined;
}

/** The syntax tree of a bundle; undefined when it cannot be parsed. */
export function findBundleTree(bundle: string): Program | undefined {
  try {
    return parse(bundle, {
      ecmaVersion: "latest",
      sourceType: "script",
      allowReturnOutsideFunction: true,
      checkPrivateFields: false,
    });
  } catch {
    return undefined;
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const childrenOf = (node: AnyNode): AnyNode[] =>
  Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

/** Every node, in source order. */
export function* walk(tree: AnyNode): Generator<NodePath> {
  const pending: NodePath[] = [{ node: tree, parent: undefined }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    for (const node of childrenOf(next.node).toReversed()) pending.push({ node, parent: next });
  }
}

/** The name of a member or property; undefined when it is computed. */
export function nameOf(key: AnyNode, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

/** A function without the call by which the bundler keeps its name. */
export function plainFunction(node: AnyNode): AnyNode {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.arguments.length !== 2) return node;
  const [fn, name] = node.arguments;
  const isFunction = fn?.type === "ArrowFunctionExpression" || fn?.type === "FunctionExpression";
  return isFunction && name?.type === "Literal" && typeof name.value === "string" ? fn : node;
}
