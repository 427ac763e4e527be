import { type AnyNode, parse, type Program } from "acorn";

/** A node with what it stands in, the nearest last. */
export interface NodePath {
  readonly node: AnyNode;
  readonly parent: NodePath | undefined;
}

/** The tree of a bundle; undefined when the parser cannot read it. */
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

/** Every node, in the order in which they begin. */
export function* walk(tree: AnyNode): Generator<NodePath> {
  const left: NodePath[] = [{ node: tree, parent: undefined }];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
    for (const node of childrenOf(next.node).toReversed()) left.push({ node, parent: next });
  }
}

/** What a member or a property is called, where that is written plainly. */
export function nameOf(key: AnyNode, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}
