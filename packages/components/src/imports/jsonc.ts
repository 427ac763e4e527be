import type { AnyNode } from "acorn";

import { parser } from "./parser.ts";

/** The name of a member of an object literal. */
function keyOf(key: AnyNode): string {
  if (key.type === "Identifier") return key.name;
  if (key.type === "Literal") return String(key.value);
  throw new SyntaxError("Expected a name");
}

function valueOf(node: AnyNode | null): unknown {
  switch (node?.type) {
    case "Literal":
      return node.value;
    case "ArrayExpression":
      return node.elements.map(valueOf);
    case "ObjectExpression":
      return Object.fromEntries(
        node.properties.map((each) => {
          if (each.type !== "Property" || each.computed) throw new SyntaxError("Expected a member");
          return [keyOf(each.key), valueOf(each.value)];
        }),
      );
    default:
      throw new SyntaxError("Expected a value");
  }
}

/** Parses JSON with comments and trailing commas, as a tsconfig.json is. Throws when the text is none. */
export const parseJsonc = (text: string): unknown =>
  valueOf(parser().parseExpressionAt(text.replace(/^\uFEFF/, ""), 0, { ecmaVersion: "latest" }));
