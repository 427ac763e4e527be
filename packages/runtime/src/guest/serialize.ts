import { writeJson } from "./lost.ts";

/** JSON text of an emitted event, taken at once; a value JSON cannot hold is named by its path (contract 4.2, point 2). */
class EmitSerializationError extends TypeError {
  override readonly name = "EmitSerializationError";
}

export function serializeEvent(event: unknown): string {
  if (event === undefined) return "null";
  let text: string | undefined;
  try {
    text = writeJson(event, "$emit", "event");
  } catch (error) {
    const problem = findProblem(event, "event");
    throw new EmitSerializationError(problem ?? `event cannot be written as JSON: ${(error as Error).message}`);
  }
  if (text === undefined) throw new EmitSerializationError(`event is a ${typeof event}, which JSON cannot hold`);
  return text;
}

/** Names the first part of a value that JSON cannot hold; `path` is where the value stands. */
export function findProblem(value: unknown, path: string, above: Set<object> = new Set()): string | undefined {
  if (typeof value === "bigint") return `${path} is a BigInt, which JSON cannot hold`;
  if (typeof value !== "object" || value === null) return undefined;
  if (above.has(value)) return `${path} refers back to an object that contains it`;
  above.add(value);
  try {
    for (const key of Object.keys(value)) {
      const inner = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      const problem = findProblem((value as Record<string, unknown>)[key], inner, above);
      if (problem) return problem;
    }
  } finally {
    above.delete(value);
  }
  return undefined;
}
