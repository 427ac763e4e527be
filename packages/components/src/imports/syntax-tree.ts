import type { AnyNode, Options, Program } from "acorn";

import { parser } from "./parser.ts";

const options: Omit<Options, "sourceType"> = {
  ecmaVersion: "latest",
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  checkPrivateFields: false,
};

/** Parses JavaScript as a module, or else as a script; undefined when both fail. */
export function findTree(code: string): Program | undefined {
  for (const sourceType of ["module", "script"] as const) {
    try {
      return parser().parse(code, { ...options, sourceType });
    } catch {
      // A syntax error, or nesting that is too deep for the parser.
    }
  }
  return undefined;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The direct children of a node. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const name in node) {
    const value: unknown = node[name as keyof AnyNode];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}
