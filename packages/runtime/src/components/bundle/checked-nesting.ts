import type { AnyNode } from "acorn";

import { childrenOf, findTree } from "../imports/syntax-tree.ts";
import { findNestingProblem, nestingLimits, type NestingProblem, tooDeep } from "./nesting.ts";

/** Where the guess finds a problem, a parser that reads the code all the same knows better. */
export function checkNesting(text: string): NestingProblem | undefined {
  const guess = findNestingProblem(text);
  const tree = guess && findTree(text);
  // What has not exhausted this parser exhausts no other; functions in functions cost more than parsing.
  return tree ? findDeepFunction(tree) : guess;
}

function findDeepFunction(tree: AnyNode): NestingProblem | undefined {
  const open: { readonly node: AnyNode; readonly functions: number }[] = [{ node: tree, functions: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node } = next;
    const functions = next.functions + ("params" in node ? 1 : 0);
    if (functions > nestingLimits.functions) return tooDeep("functions", nestingLimits.functions, node.start + 1);
    for (const child of childrenOf(node)) open.push({ node: child, functions });
  }
  return undefined;
}
