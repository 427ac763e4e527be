import type { AnyNode, Program } from "acorn";

import { memberOfThis } from "./bindings.ts";
import type { BundleFinding } from "./finding.ts";
import { nameOf, type NodePath, plainFunction, walk } from "./tree.ts";

const keyOf = (node: AnyNode | undefined): string | undefined =>
  node?.type === "Property" ? nameOf(node.key, node.computed) : undefined;

/** The member of a component that a property of an object is: `run`, `methods.list`, `props.team.options`. */
function memberAt({ node, parent }: NodePath): string | undefined {
  const name = keyOf(node);
  if (name === undefined || parent?.node.type !== "ObjectExpression") return undefined;
  if (name === "run" || name === "additionalProps") return name;
  const around = keyOf(parent.parent?.node);
  if (around === "methods" || around === "hooks") return `${around}.${name}`;
  const above = keyOf(parent.parent?.parent?.parent?.node);
  return name === "options" && above === "props" && around !== undefined ? `props.${around}.options` : undefined;
}

/** The name that is read of a value, or all names that are destructured from it; undefined for other uses. */
function namesRead({ node, parent }: NodePath): string[] | undefined {
  const around = parent?.node;
  if (around?.type === "MemberExpression" && around.object === node)
    return [nameOf(around.property, around.computed) ?? ""];
  if (around?.type !== "VariableDeclarator" || around.id.type !== "ObjectPattern") return undefined;
  return around.id.properties.flatMap((each) =>
    each.type === "Property" ? (nameOf(each.key, each.computed) ?? []) : [],
  );
}

/** True for `this` of a module: the bundler writes `void 0` for it in ES modules, and `exports` in CommonJS modules. */
function isThisOfModule(path: NodePath, members: ReadonlySet<string>): boolean {
  const { node } = path;
  if (node.type === "UnaryExpression" && node.operator === "void") return namesRead(path) !== undefined;
  if (node.type !== "Identifier" || node.name !== "exports") return false;
  return namesRead(path)?.some((name) => members.has(name)) === true;
}

/** Members that are arrow functions and use `this`, which they do not have. `members`: names of members of `this`. */
export const arrowsWithThis = (tree: Program, members: ReadonlySet<string>): BundleFinding[] =>
  [...walk(tree)].flatMap((path) => {
    const { node } = path;
    const fn = node.type === "Property" ? plainFunction(node.value) : undefined;
    if (fn?.type !== "ArrowFunctionExpression") return [];
    const member = memberAt(path);
    if (member === undefined || ![...walk(fn)].some((each) => isThisOfModule(each, members))) return [];
    const name = member.split(".").at(-1) ?? member;
    const isAsync = fn.async ? "async " : "";
    return [
      {
        rule: "arrow-function",
        severity: "error",
        message: `${member} is an arrow function, in which this is undefined.`,
        fix: `Write it as a method: ${isAsync}${name}(…) { … }.`,
        offset: node.start,
      } as const,
    ];
  });

const isEnvironment = (node: AnyNode): boolean =>
  node.type === "MemberExpression" &&
  node.object.type === "Identifier" &&
  node.object.name === "process" &&
  nameOf(node.property, node.computed) === "env";

/** The names that the code reads from `process.env`; none for a name that it sets. */
function variablesAt(path: NodePath): string[] {
  const above = path.parent?.parent?.node;
  if (above?.type === "AssignmentExpression" && above.left === path.parent?.node) return [];
  return namesRead(path) ?? [];
}

/** Reads of the environment, which components do not have. */
export const environmentReads = (tree: Program, isOwn: (offset: number) => boolean): BundleFinding[] =>
  [...walk(tree)].flatMap((path) => {
    const { node } = path;
    if (!isEnvironment(node)) return [];
    const names = variablesAt(path);
    if (names.length === 0 || !isOwn(node.start)) return [];
    return names.map((name) => ({
      rule: "process-env",
      severity: "warning" as const,
      message: `process.env${name === "" ? "[…]" : `.${name}`} is undefined: components have no environment.`,
      fix: "Declare a prop, and read this.<prop>; for a secret with secret: true.",
      offset: node.start,
    }));
  });

/** Answers of HTTP props without `customResponse`, which are ignored. */
export const ignoredAnswers = (tree: Program, https: ReadonlySet<string>): BundleFinding[] =>
  [...walk(tree)].flatMap((path) => {
    const { node } = path;
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return [];
    const { callee } = node;
    const prop = nameOf(callee.property, callee.computed) === "respond" ? memberOfThis(callee.object, path) : undefined;
    if (prop === undefined || !https.has(prop)) return [];
    return [
      {
        rule: "respond-ignored",
        severity: "warning",
        message: `this.${prop}.respond is ignored: the prop has no customResponse: true, so the request is answered before run begins.`,
        fix: `Declare ${prop}: { type: "$.interface.http", customResponse: true }.`,
        prop,
        offset: node.start,
      } as const,
    ];
  });
