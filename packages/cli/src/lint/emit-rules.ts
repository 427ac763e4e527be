import type { AnyNode, CallExpression, Program } from "acorn";

import { findBinding, isDeclared, memberOfThis } from "./bindings.ts";
import type { BundleFinding } from "./finding.ts";
import { nameOf, type NodePath, plainFunction, walk } from "./tree.ts";

interface Call {
  readonly node: CallExpression;
  readonly path: NodePath;
}

/** The calls of `this.$emit`, also by another name. */
const emitsIn = (tree: Program): Call[] =>
  [...walk(tree)].flatMap((path) => {
    const { node } = path;
    return node.type === "CallExpression" && memberOfThis(node.callee, path) === "$emit" ? [{ node, path }] : [];
  });

const isUndefined = (node: AnyNode): boolean =>
  (node.type === "UnaryExpression" && node.operator === "void") ||
  (node.type === "Identifier" && node.name === "undefined") ||
  (node.type === "Literal" && node.value === null);

/** The function of `methods` with that name, when there is exactly one. */
function findMethod(tree: Program, name: string): AnyNode | undefined {
  const found: AnyNode[] = [];
  for (const { node, parent } of walk(tree)) {
    if (node.type !== "Property" || nameOf(node.key, node.computed) !== name) continue;
    const around = parent?.parent?.node;
    if (around?.type === "Property" && nameOf(around.key, around.computed) === "methods")
      found.push(plainFunction(node.value));
  }
  return found.length === 1 ? found[0] : undefined;
}

/** What a function returns; undefined when it may return something else, such as a promise. */
function returnsOf(fn: AnyNode): AnyNode[] | undefined {
  if (fn.type !== "FunctionExpression" && fn.type !== "ArrowFunctionExpression") return undefined;
  if (fn.async || fn.generator) return undefined;
  if (fn.body.type !== "BlockStatement") return [fn.body];
  const returned: AnyNode[] = [];
  for (const { node, parent } of walk(fn.body)) {
    if (node.type !== "ReturnStatement" || !isOf(fn.body, parent)) continue;
    if (!node.argument) return undefined;
    returned.push(node.argument);
  }
  return returned.length === 0 ? undefined : returned;
}

/** True when no other function is between a node and that body. */
function isOf(body: AnyNode, from: NodePath | undefined): boolean {
  for (let path = from; path && path.node !== body; path = path.parent) if ("params" in path.node) return false;
  return true;
}

/** True when a constant is only ever given to calls of `$emit`. */
function isOnlyEmitted(name: string, tree: Program): boolean {
  let declarations = 0;
  for (const { node, parent } of walk(tree)) {
    if (node.type !== "Identifier" || node.name !== name) continue;
    const around = parent?.node;
    if (around?.type === "VariableDeclarator" && around.id === node) declarations += 1;
    else if (around?.type === "Property" && around.key === node && around.value !== node) continue;
    else if (around?.type === "MemberExpression" && around.property === node && !around.computed) continue;
    else if (around?.type !== "CallExpression" || memberOfThis(around.callee, parent ?? { node, parent }) !== "$emit")
      return false;
  }
  return declarations === 1;
}

/** True when the second argument of `$emit` certainly has no id. */
function lacksId(meta: AnyNode | undefined, path: NodePath, tree: Program): boolean {
  if (meta === undefined || isUndefined(meta)) return true;
  switch (meta.type) {
    case "ObjectExpression":
      return meta.properties.every((each) => {
        const name = each.type === "Property" ? nameOf(each.key, each.computed) : undefined;
        return name !== undefined && (name !== "id" || (each.type === "Property" && isUndefined(each.value)));
      });
    case "ConditionalExpression":
      return lacksId(meta.consequent, path, tree) && lacksId(meta.alternate, path, tree);
    case "Identifier": {
      const binding = findBinding(meta.name, path);
      return (
        binding?.value.type === "ObjectExpression" &&
        binding.member === undefined &&
        isOnlyEmitted(meta.name, tree) &&
        lacksId(binding.value, path, tree)
      );
    }
    case "CallExpression": {
      const method = memberOfThis(meta.callee, path);
      const fn = method === undefined ? undefined : findMethod(tree, method);
      const returned = fn && returnsOf(fn);
      return (
        returned !== undefined &&
        returned.every((each) => each.type === "ObjectExpression" && lacksId(each, path, tree))
      );
    }
    default:
      return false;
  }
}

/** Calls of `$emit` without an id, which dedupe needs. */
export function emitsWithoutId(tree: Program, dedupe: string): BundleFinding[] {
  return emitsIn(tree).flatMap(({ node, path }) => {
    const [event, meta] = node.arguments;
    if (event?.type === "SpreadElement" || !lacksId(meta, path, tree)) return [];
    return [
      {
        rule: "emit-without-id",
        severity: "error",
        message: `$emit is called without an id, which dedupe "${dedupe}" needs: it will throw.`,
        fix: "Pass an id that identifies the event: this.$emit(event, { id: event.id }). Or leave dedupe out.",
        offset: node.start,
      } as const,
    ];
  });
}

interface Loss {
  readonly what: string;
  readonly fix: string;
  readonly at: AnyNode;
}

/** Classes of which JSON writes `{}`, with what to write instead. */
const losing: { readonly [name: string]: readonly [what: string, fix: string] } = {
  Map: ["a Map", "Use Object.fromEntries(map)."],
  Set: ["a Set", "Use [...set]."],
  WeakMap: ["a WeakMap", "Give plain data."],
  WeakSet: ["a WeakSet", "Give plain data."],
  Error: ["an Error", "Give its message."],
  TypeError: ["an Error", "Give its message."],
  RangeError: ["an Error", "Give its message."],
  RegExp: ["a RegExp", "Give its source."],
  Promise: ["a promise", "Await it first."],
  Response: ["a Response", "Await response.json() first."],
  Request: ["a Request", "Give its url."],
  Headers: ["Headers", "Use Object.fromEntries(headers)."],
  URLSearchParams: ["URLSearchParams", "Use String(params)."],
  Blob: ["a Blob", "Await blob.text() first."],
};

/** What JSON loses of an expression, as far as the code shows it. */
function* lossesIn(value: AnyNode, path: NodePath): Generator<Loss> {
  const lossOf = (name: string): Loss[] => {
    const [what, fix] = (Object.hasOwn(losing, name) && !isDeclared(name, path) && losing[name]) || [];
    return what === undefined || fix === undefined ? [] : [{ what, fix, at: value }];
  };
  const plain = plainFunction(value);
  switch (plain.type) {
    case "NewExpression":
      if (plain.callee.type === "Identifier") yield* lossOf(plain.callee.name);
      return;
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      yield { what: "a function", fix: "Call it, or leave it out.", at: value };
      return;
    case "CallExpression":
      if (plain.callee.type === "Identifier" && plain.callee.name === "fetch" && !isDeclared("fetch", path))
        yield* lossOf("Promise");
      return;
    case "Identifier": {
      const binding = findBinding(plain.name, path);
      const made = binding?.member === undefined ? binding?.value : undefined;
      if (made?.type !== "NewExpression" && made?.type !== "CallExpression") return;
      for (const loss of lossesIn(made, path)) yield { ...loss, at: value };
      return;
    }
    case "ObjectExpression":
      // What has its own form in JSON loses nothing.
      if (plain.properties.some((each) => each.type === "Property" && nameOf(each.key, each.computed) === "toJSON"))
        return;
      for (const each of plain.properties) if (each.type === "Property") yield* lossesIn(each.value, path);
      return;
    case "ArrayExpression":
      for (const each of plain.elements) if (each && each.type !== "SpreadElement") yield* lossesIn(each, path);
      return;
    default:
  }
}

/** Data in calls of `$emit` and of `set` of dbs and data stores of which JSON keeps nothing; `stores` has what each prop is. */
export function lossyData(tree: Program, stores: ReadonlyMap<string, string>): BundleFinding[] {
  const findings: BundleFinding[] = [];
  for (const path of walk(tree)) {
    const { node } = path;
    if (node.type !== "CallExpression") continue;
    const { callee } = node;
    const isEmit = memberOfThis(callee, path) === "$emit";
    const store =
      callee.type === "MemberExpression" && nameOf(callee.property, callee.computed) === "set"
        ? stores.get(memberOfThis(callee.object, path) ?? "")
        : undefined;
    const value = isEmit ? node.arguments[0] : store === undefined ? undefined : node.arguments[1];
    if (!value || value.type === "SpreadElement") continue;
    for (const { what, fix, at } of lossesIn(value, path))
      findings.push({
        rule: "lost-in-json",
        severity: "warning",
        message: `${isEmit ? "$emit" : `The ${store}`} is given ${what}, of which JSON keeps nothing.`,
        fix,
        offset: at.start,
      });
  }
  return findings;
}
