import type { AnyNode } from "acorn";

import { nameOf, type NodePath } from "./tree.ts";

/** The meaning of a name that never changes: a value, or a member of a value that was destructured. */
export interface Binding {
  readonly value: AnyNode;
  readonly member?: string;
}

/** The binding that one declarator gives to a name; undefined when it does not declare it. */
function bindingIn(id: AnyNode, init: AnyNode, name: string): Binding | undefined {
  if (id.type === "Identifier") return id.name === name ? { value: init } : undefined;
  if (id.type !== "ObjectPattern") return undefined;
  for (const each of id.properties) {
    if (each.type !== "Property" || each.value.type !== "Identifier" || each.value.name !== name) continue;
    const member = nameOf(each.key, each.computed);
    return member === undefined ? undefined : { value: init, member };
  }
  return undefined;
}

const statementsOf = (node: AnyNode): readonly AnyNode[] =>
  node.type === "BlockStatement" || node.type === "Program" ? node.body : [];

const declares = (node: AnyNode, name: string): boolean =>
  ("params" in node && node.params.some((each) => each.type === "Identifier" && each.name === name)) ||
  statementsOf(node).some(
    (each) => (each.type === "FunctionDeclaration" || each.type === "ClassDeclaration") && each.id?.name === name,
  );

/** Finds what a name means at a place; undefined when it is no constant. A bundle has `var` for constants of its modules. */
export function findBinding(name: string, from: NodePath): Binding | undefined {
  for (let path: NodePath | undefined = from; path; path = path.parent) {
    for (const statement of statementsOf(path.node)) {
      if (statement.type !== "VariableDeclaration") continue;
      for (const { id, init } of statement.declarations) {
        const found = init ? bindingIn(id, init, name) : undefined;
        if (!found) continue;
        return statement.kind === "const" || path.node.type === "Program" ? found : undefined;
      }
    }
    if (declares(path.node, name)) return undefined;
  }
  return undefined;
}

/** True for a name that the code declares, so that it is not the global one. */
export function isDeclared(name: string, from: NodePath): boolean {
  for (let path: NodePath | undefined = from; path; path = path.parent) {
    const isVariable = statementsOf(path.node).some(
      (each) =>
        each.type === "VariableDeclaration" &&
        each.declarations.some(({ id }) => id.type === "Identifier" && id.name === name),
    );
    if (isVariable || declares(path.node, name)) return true;
  }
  return false;
}

/** True for `this`, and for a constant that is `this`. */
function isThis(node: AnyNode, from: NodePath): boolean {
  if (node.type === "ThisExpression") return true;
  if (node.type !== "Identifier") return false;
  const binding = findBinding(node.name, from);
  return binding?.value.type === "ThisExpression" && binding.member === undefined;
}

/** The name of the member of `this` that an expression is: `this.http`, or a constant that was taken from it. */
export function memberOfThis(node: AnyNode, from: NodePath): string | undefined {
  const plain = node.type === "ChainExpression" ? node.expression : node;
  if (plain.type === "MemberExpression")
    return isThis(plain.object, from) ? nameOf(plain.property, plain.computed) : undefined;
  if (plain.type !== "Identifier") return undefined;
  const binding = findBinding(plain.name, from);
  if (!binding) return undefined;
  if (binding.member !== undefined) return isThis(binding.value, from) ? binding.member : undefined;
  return binding.value.type === "Identifier" ? undefined : memberOfThis(binding.value, from);
}
