import { FunctionBody, type ModuleShape, type Signature } from "./function-body.ts";
import { op, valueType } from "./operators.ts";
import { markRangeBody, rewindBody } from "./rewind-code.ts";
import { stack } from "./pieces.ts";
import { nameBytes, numberBytes, readNumber, sectionId, signedBytes, skipNumber, WasmSections } from "./wasm-binary.ts";

/** Module and names of what marked code imports besides its own imports. */
export const marksModule = "marks";
export const importNames = { marks: "marks", image: "image" } as const;
/** The function that restores memory. */
export const rewindName = "rewind";

const memoryKind = 2;
const functionKind = 0;

/**
 * Rewrites the engine so that it marks, in a memory of its own, every piece of memory that it writes to, and adds a function
 * that restores marked pieces. Throws on code that it does not understand, because a missed store would pass on data from
 * one call to the next.
 */
export function markStores(module: Uint8Array): Uint8Array {
  const sections = new WasmSections(module);
  checkStack(sections.content(sectionId.global));
  const types = readTypes(sections.content(sectionId.type));
  const imported = readImports(sections.content(sectionId.import));
  const defined = readIndexes(sections.content(sectionId.function));
  const signature = (type: number): Signature => {
    const found = types[type];
    if (!found) throw new TypeError("The engine has a function of an unknown type");
    return found;
  };
  const { i32 } = valueType;
  const type = sections.append(sectionId.type, [
    [0x60, 2, i32, i32, 0],
    [0x60, 4, i32, i32, i32, i32, 0],
  ]);
  const markRange = imported.length + sections.append(sectionId.function, [numberBytes(type), numberBytes(type + 1)]);
  const functions = [...imported, ...defined].map(signature);
  const shape: ModuleShape = { types, functions, markRange };
  sections.replace(sectionId.code, rewriteCode(sections.content(sectionId.code), shape, imported.length));
  const memory = (name: string): number[] => [...nameBytes(marksModule), ...nameBytes(name), memoryKind, 0, 0];
  sections.append(sectionId.import, [memory(importNames.marks), memory(importNames.image)]);
  sections.append(sectionId.export, [[...nameBytes(rewindName), functionKind, ...numberBytes(markRange + 1)]]);
  return sections.bytes();
}

function rewriteCode(content: Uint8Array, shape: ModuleShape, firstIndex: number): Uint8Array {
  const { value: count, end } = readNumber(content, 0);
  const bodies: Uint8Array[] = [];
  let at = end;
  for (let index = 0; index < count; index += 1) {
    const size = readNumber(content, at);
    at = size.end + size.value;
    const signature = shape.functions[firstIndex + index];
    if (!signature) throw new TypeError("The engine has a function without a type");
    bodies.push(new FunctionBody(shape, content.subarray(size.end, at), signature).rewritten());
  }
  bodies.push(markRangeBody(), rewindBody());
  const parts = bodies.flatMap((body) => [Uint8Array.from(numberBytes(body.length)), body]);
  return Buffer.concat([Uint8Array.from(numberBytes(bodies.length)), ...parts]);
}

function readTypes(content: Uint8Array): Signature[] {
  let { value: left, end: at } = readNumber(content, 0);
  const types: Signature[] = [];
  for (; left > 0; left -= 1) {
    const takes = readNumber(content, at + 1);
    const gives = readNumber(content, takes.end + takes.value);
    types.push({ takes: takes.value, gives: gives.value });
    at = gives.end + gives.value;
  }
  return types;
}

/** The types of the imported functions. Throws unless everything else is one memory of 32 bits. */
function readImports(content: Uint8Array): number[] {
  let { value: left, end: at } = readNumber(content, 0);
  const types: number[] = [];
  let memories = 0;
  for (; left > 0; left -= 1) {
    for (let names = 2; names > 0; names -= 1) {
      const length = readNumber(content, at);
      at = length.end + length.value;
    }
    const kind = content[at] ?? 0;
    const first = readNumber(content, at + 1);
    if (kind === functionKind) types.push(first.value);
    else if (kind === memoryKind && first.value <= 1) memories += 1;
    else throw new TypeError("The engine imports something unknown");
    at = kind === memoryKind && first.value === 1 ? skipNumber(content, skipNumber(content, first.end)) : first.end;
    if (kind === memoryKind && first.value === 0) at = skipNumber(content, first.end);
  }
  if (memories !== 1) throw new TypeError("The engine does not import its memory");
  return types;
}

/** Throws unless the only global variable is the stack pointer, and begins where the stack does. */
function checkStack(content: Uint8Array): void {
  const expected = [1, valueType.i32, 1, op.constant, ...signedBytes(stack.high), op.end];
  if (!Buffer.from(content).equals(Uint8Array.from(expected))) throw new TypeError("The engine's stack is unknown");
}

function readIndexes(content: Uint8Array): number[] {
  let { value: left, end: at } = readNumber(content, 0);
  const indexes: number[] = [];
  for (; left > 0; left -= 1) {
    const index = readNumber(content, at);
    indexes.push(index.value);
    at = index.end;
  }
  return indexes;
}
