import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import ts from "typescript-6";

type Declaration =
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.VariableStatement;

/** What a package exports under a name. */
export interface Exported {
  readonly name: string;
  readonly kind: "value" | "type";
  /** Its docstring. */
  readonly text: string;
  /** How it is declared, without what it does. */
  readonly signature: string;
}

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** The file that a module specifier in `from` names. */
function fileOf(specifier: string, from: string): string {
  if (specifier.startsWith(".")) return join(dirname(from), specifier);
  const [, name = "", door = ""] = /^@x\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? [];
  const { exports } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
    exports: { readonly [door: string]: { readonly "@x/source": string } };
  };
  return join(packages, name, exports[door === "" ? "." : `./${door}`]?.["@x/source"] ?? "");
}

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const isDeclaration = (node: ts.Statement): node is Declaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isVariableStatement(node);

const namesOf = (node: Declaration): string[] =>
  ts.isVariableStatement(node)
    ? node.declarationList.declarations.map(({ name }) => name.getText())
    : [node.name?.text ?? ""];

/** The text of a member or function up to its body. */
function headOf(node: ts.Node & { readonly body?: ts.Node | undefined }): string {
  const text = node.getSourceFile().text;
  const end = node.body ? node.body.getFullStart() : node.end;
  return text
    .slice(node.getStart(), end)
    .replace(/^export /, "")
    .replace(/^(?:public )?async /, "")
    .trim();
}

function classSignature(node: ts.ClassDeclaration): string {
  const text = node.getSourceFile().text;
  const head = text.slice(node.getStart(), node.members.pos).replace(/^export /, "");
  const isHidden = (member: ts.ClassElement): boolean =>
    (member.name !== undefined && ts.isPrivateIdentifier(member.name)) ||
    (ts.canHaveModifiers(member) &&
      (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword));
  const members = node.members
    .filter((member) => !isHidden(member))
    .map((member) => {
      const comment = text.slice(member.getFullStart(), member.getStart()).trim();
      const line = ts.isPropertyDeclaration(member)
        ? text.slice(member.getStart(), (member.type ?? member).end)
        : headOf(member);
      return `${comment === "" ? "" : `  ${comment}\n`}  ${line.replace(/;$/, "")};`;
    });
  return `${head}\n${members.join("\n")}\n}`;
}

function signatureOf(node: Declaration, name: string): string {
  if (ts.isFunctionDeclaration(node)) return `${headOf(node).replace(/;$/, "")};`;
  if (ts.isClassDeclaration(node)) return classSignature(node);
  if (!ts.isVariableStatement(node)) return node.getText().replace(/^export /, "");
  const declared = node.declarationList.declarations.find((each) => each.name.getText() === name);
  const type = declared?.type?.getText();
  if (type !== undefined) return `const ${name}: ${type};`;
  const made = declared?.initializer;
  if (made && ts.isArrowFunction(made))
    return `const ${name}: (${made.parameters.map((each) => each.getText()).join(", ")}) => ${made.type?.getText() ?? "void"};`;
  return `const ${name}: ${made?.getText() ?? "unknown"};`;
}

const textOf = (node: Declaration): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .map((each) => (typeof each.comment === "string" ? each.comment : (ts.getTextOfJSDocComment(each.comment) ?? "")))
    .join("\n\n");

const parsed = new Map<string, ts.SourceFile>();
function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

const elementsOf = ({ exportClause }: ts.ExportDeclaration): readonly ts.ExportSpecifier[] =>
  exportClause && ts.isNamedExports(exportClause) ? exportClause.elements : [];

/** What a module declares or imports under a name that it exports elsewhere. */
function findLocal(file: string, wanted: string, skips: (file: string) => boolean): Exported | undefined {
  for (const node of parse(file).statements) {
    if (isDeclaration(node) && namesOf(node).includes(wanted)) return exportedAs(node, wanted);
    if (!ts.isImportDeclaration(node)) continue;
    const bindings = node.importClause?.namedBindings;
    const binding =
      bindings && ts.isNamedImports(bindings) ? bindings.elements.find(({ name }) => name.text === wanted) : undefined;
    if (!binding) continue;
    const target = fileOf((node.moduleSpecifier as ts.StringLiteral).text, file);
    return exportedBy(target, skips).get((binding.propertyName ?? binding.name).text);
  }
  return undefined;
}

const exportedAs = (node: Declaration, name: string): Exported => ({
  name,
  kind: ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? "type" : "value",
  text: textOf(node),
  signature: signatureOf(node, name),
});

/** Everything that a module exports, also from other modules. `skips` tells modules that are left out. */
export function exportedBy(file: string, skips: (file: string) => boolean = () => false): Map<string, Exported> {
  const found = new Map<string, Exported>();
  for (const node of parse(file).statements) {
    if (isDeclaration(node) && isExported(node)) {
      // Of overloads the first is what users read.
      for (const name of namesOf(node)) if (!found.has(name)) found.set(name, exportedAs(node, name));
    }
    if (!ts.isExportDeclaration(node)) continue;
    if (!node.moduleSpecifier) {
      for (const { name, propertyName } of elementsOf(node)) {
        const each = findLocal(file, (propertyName ?? name).text, skips);
        if (each) found.set(name.text, { ...each, name: name.text });
      }
      continue;
    }
    const target = fileOf((node.moduleSpecifier as ts.StringLiteral).text, file);
    if (skips(target) || (node.exportClause && ts.isNamespaceExport(node.exportClause))) continue;
    const others = exportedBy(target, skips);
    if (!node.exportClause) for (const [name, each] of others) found.set(name, each);
    else
      for (const { name, propertyName } of elementsOf(node)) {
        const original = (propertyName ?? name).text;
        const each = others.get(original);
        if (!each) throw new Error(`${target} exports no ${original}`);
        const signature = each.signature.replace(new RegExp(`\\b${original}\\b`, "g"), name.text);
        found.set(name.text, { ...each, name: name.text, signature });
      }
  }
  return found;
}
