import type { AnyNode, ObjectExpression, Program } from "acorn";

import { isModuleExports, nodesOf, plainName } from "../author/exported.ts";
import { findTree } from "../imports/syntax-tree.ts";
import type { Declared } from "./contract.ts";

const unknown: Declared = { kind: "unknown", imports: [] };
const longestText = 2_048;
const deepest = 8;

/** What the syntax tree of a module says of its top level. */
interface Module {
  /** Values of variables that are declared once. */
  readonly values: ReadonlyMap<string, AnyNode>;
  readonly exported: AnyNode | undefined;
  readonly imports: readonly string[];
}

const textOf = (node: AnyNode | null | undefined): string | undefined => {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  return node?.type === "TemplateLiteral" && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
};

/** The default export of one statement. */
function exportOf(statement: AnyNode): AnyNode | undefined {
  if (statement.type === "ExportDefaultDeclaration") return statement.declaration;
  if (statement.type === "ExportNamedDeclaration") {
    const named = statement.specifiers.find(({ exported }) => plainName(exported, false) === "default");
    // A default of another module is a name without a value here.
    return named?.local;
  }
  if (statement.type !== "ExpressionStatement" || statement.expression.type !== "AssignmentExpression")
    return undefined;
  return isModuleExports(statement.expression.left) ? statement.expression.right : undefined;
}

function requiredBy(node: AnyNode): string | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "Identifier" || node.callee.name !== "require")
    return undefined;
  return textOf(node.arguments[0]);
}

function readModule(tree: Program): Module {
  const values = new Map<string, AnyNode>();
  const imports = new Set<string>();
  let exported: AnyNode | undefined;
  for (const statement of tree.body) {
    exported = exportOf(statement) ?? exported;
    if ("source" in statement) {
      const specifier = textOf(statement.source);
      if (specifier !== undefined) imports.add(specifier);
    }
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations)
      if (id.type === "Identifier" && init) values.set(id.name, init);
  }
  for (const node of nodesOf(tree)) {
    const specifier = requiredBy(node);
    if (specifier !== undefined) imports.add(specifier);
  }
  return { values, exported, imports: [...imports] };
}

/** The object of an expression, through names and `define…` calls; "other": surely no object; undefined: unknown. */
function objectOf(node: AnyNode, { values }: Module, depth = 0): ObjectExpression | "other" | undefined {
  if (depth > deepest) return undefined;
  switch (node.type) {
    case "ObjectExpression":
      return node;
    case "Identifier": {
      const value = values.get(node.name);
      return value && objectOf(value, { values, exported: undefined, imports: [] }, depth + 1);
    }
    case "CallExpression": {
      const [given] = node.arguments;
      const isDefine = node.callee.type === "Identifier" && /^define[A-Z]/.test(node.callee.name);
      return isDefine && given ? objectOf(given, { values, exported: undefined, imports: [] }, depth + 1) : undefined;
    }
    case "ArrayExpression":
    case "ArrowFunctionExpression":
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ClassDeclaration":
    case "ClassExpression":
    case "Literal":
    case "TemplateLiteral":
      return "other";
    default:
      return undefined;
  }
}

/** The names that the code reads of `$auth`. */
function authFields(tree: Program): string[] {
  const names = new Set<string>();
  const isAuth = (node: AnyNode | null | undefined): boolean =>
    node?.type === "ChainExpression"
      ? isAuth(node.expression)
      : node?.type === "MemberExpression" && plainName(node.property, node.computed) === "$auth";
  for (const node of nodesOf(tree)) {
    if (node.type === "MemberExpression" && isAuth(node.object)) {
      const name = plainName(node.property, node.computed);
      if (name !== undefined) names.add(name);
    }
    if (node.type === "VariableDeclarator" && node.id.type === "ObjectPattern" && isAuth(node.init))
      for (const each of node.id.properties)
        if (each.type === "Property") names.add(plainName(each.key, each.computed) ?? "");
  }
  names.delete("");
  return [...names];
}

type Fields = Pick<Declared, "key" | "name" | "version" | "description" | "type" | "app">;
const fieldNames = ["key", "name", "version", "description", "type", "app"] as const;

function kindOf(object: ObjectExpression, fields: Fields): Declared["kind"] {
  if (fields.type === "app") return "app";
  if (fields.key !== undefined) return "component";
  const isOpen = object.properties.some((each) => each.type === "SpreadElement" || each.computed);
  const hasKey = object.properties.some((each) => each.type === "Property" && plainName(each.key, false) === "key");
  // With a name and a version it is meant as a component, and its evaluation says what is missing.
  return isOpen || hasKey || (fields.name !== undefined && fields.version !== undefined) ? "unknown" : "helper";
}

/** Reads a module of JavaScript by parsing it alone. */
export function readDeclared(code: string): Declared {
  const tree = findTree(code);
  if (!tree) return unknown;
  const module = readModule(tree);
  const { imports } = module;
  const found = code.includes("$auth") ? authFields(tree) : [];
  const auth = found.length > 0 ? { auth: found } : {};
  const object = module.exported ? objectOf(module.exported, module) : "other";
  if (object === "other") return { kind: "helper", imports, ...auth };
  if (!object) return { kind: "unknown", imports, ...auth };
  const fields: { -readonly [field in keyof Fields]: Fields[field] } = {};
  for (const each of object.properties) {
    const name = each.type === "Property" ? plainName(each.key, each.computed) : undefined;
    const field = fieldNames.find((known) => known === name);
    if (field === undefined || each.type !== "Property") continue;
    const value = each.value.type === "Identifier" ? module.values.get(each.value.name) : each.value;
    const text = textOf(value);
    if (text === undefined) delete fields[field];
    else fields[field] = text.slice(0, longestText);
  }
  return { kind: kindOf(object, fields), ...fields, imports, ...auth };
}
