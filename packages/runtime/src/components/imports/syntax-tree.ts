import { type AnyNode, type Options, parse, type Program } from "acorn";

const options: Omit<Options, "sourceType"> = {
  ecmaVersion: "latest",
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  checkPrivateFields: false,
};

/** The tree of JavaScript, as a module or else as a script; undefined when it is nothing that this parser can read. */
export function findTree(code: string): Program | undefined {
  for (const sourceType of ["module", "script"] as const) {
    try {
      return parse(code, { ...options, sourceType });
    } catch {
      // No such code, or nested more deeply than a parser goes.
    }
  }
  return undefined;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

/** The nodes right below one. */
export function childrenOf(node: AnyNode): AnyNode[] {
  return Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}
