import { jsonParts, XError } from "@x/runtime";

import { JsonText } from "@x/http";

/** The fields of a resource that a caller asked for. */
export interface FieldSelection {
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
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

/** What a request may parse of events to select their fields. */
export interface FieldRoom {
  /** Parts of JSON. */
  parts: number;
}

/** About 100 ms. */
export const fieldRoom = (): FieldRoom => ({ parts: 800_000 });

/** Parses an event. Throws `invalid_parameter` beyond the room. */
function parsed(given: unknown, room: FieldRoom): unknown {
  if (!(given instanceof JsonText)) return given;
  for (const text of given.texts) room.parts -= jsonParts(text, room.parts);
  if (room.parts >= 0) return given.toJSON();
  const expected = "used without fields inside of events";
  throw new XError("invalid_parameter", ["include", expected, "events of more than 200,000 objects and lists"]);
}

function pick(given: unknown, tree: FieldTree, room: FieldRoom): unknown {
  if (tree.size === 0) return given;
  const value = parsed(given, room);
  if (Array.isArray(value)) return value.map((item: unknown) => pick(item, tree, room));
  if (!isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below = tree.get(name);
    if (below) kept.push([name, pick(member, below, room)]);
  }
  return Object.fromEntries(kept);
}

function omit(given: unknown, tree: FieldTree, room: FieldRoom): unknown {
  const value = parsed(given, room);
  if (Array.isArray(value)) return value.map((item: unknown) => omit(item, tree, room));
  if (!isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    const below = tree.get(name);
    if (!below) kept.push([name, member]);
    else if (below.size > 0) kept.push([name, omit(member, below, room)]);
  }
  return Object.fromEntries(kept);
}

/** Applies include, then exclude. Only an explicit exclude removes `id`. */
export function selectFields(resource: object, selection: FieldSelection, room: FieldRoom = fieldRoom()): object {
  const include = parseFields(selection.include);
  const exclude = parseFields(selection.exclude);
  include?.set("id", new Map());
  const picked = include ? pick(resource, include, room) : resource;
  return Object(exclude ? omit(picked, exclude, room) : picked) as object;
}
