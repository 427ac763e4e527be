import { JsonText } from "./json-text.ts";

/** The fields of a resource that a caller asked for. */
export interface FieldSelection {
  readonly include?: string;
  readonly exclude?: string;
}

/** Names by path segment; a leaf includes everything below it. */
type FieldTree = Map<string, FieldTree>;

function parseFields(list: string | undefined): FieldTree | undefined {
  const names = (list ?? "").split(",").map((name) => name.trim());
  const root: FieldTree = new Map();
  for (const name of names.filter((text) => text !== "")) {
    let node = root;
    for (const segment of name.split(".")) {
      const next: FieldTree = node.get(segment) ?? new Map();
      node.set(segment, next);
      node = next;
    }
  }
  return root.size > 0 ? root : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pick(given: unknown, tree: FieldTree): unknown {
  if (tree.size === 0) return given;
  const value = given instanceof JsonText ? given.toJSON() : given;
  if (Array.isArray(value)) return value.map((item: unknown) => pick(item, tree));
  if (!isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below = tree.get(name);
    if (below) kept.push([name, pick(member, below)]);
  }
  return Object.fromEntries(kept);
}

function omit(given: unknown, tree: FieldTree): unknown {
  const value = given instanceof JsonText ? given.toJSON() : given;
  if (Array.isArray(value)) return value.map((item: unknown) => omit(item, tree));
  if (!isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below = tree.get(name);
    if (!below) kept.push([name, member]);
    else if (below.size > 0) kept.push([name, omit(member, below)]);
  }
  return Object.fromEntries(kept);
}

/** Applies include, then exclude. Only an explicit exclude removes `id`. */
export function selectFields(resource: object, selection: FieldSelection): object {
  const include = parseFields(selection.include);
  const exclude = parseFields(selection.exclude);
  include?.set("id", new Map());
  const picked = include ? pick(resource, include) : resource;
  return Object(exclude ? omit(picked, exclude) : picked) as object;
}
