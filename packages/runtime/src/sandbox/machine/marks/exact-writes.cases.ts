import { op, otherMemory, readOperator, storeOf, valueType } from "./operators.ts";
import { numberBytes, readNumber, sectionId, signedWord, skipNumber, WasmSections } from "./wasm-binary.ts";

/** The name under which the memory is exported that has a one for every byte that was written. */
export const exactName = "exact";
const exactMemory = 3;
/** As many as a machine of the test may have. */
const exactPages = 1_024;
const memorySection = 5;

/**
 * Makes marked code also note every byte that it writes, in the simplest way: each store is followed by one of ones at the same
 * place of another memory. It shares nothing with the marks but the reading of operators.
 */
export function noteExactWrites(marked: Uint8Array): Uint8Array {
  const sections = new WasmSections(marked);
  const signatures = takenByType(sections.content(sectionId.type));
  const types = indexesOf(sections.content(sectionId.function));
  sections.replace(
    sectionId.code,
    rewriteBodies(sections.content(sectionId.code), (index) => signatures[types[index] ?? -1] ?? 0),
  );
  const name = new TextEncoder().encode(exactName);
  sections.append(sectionId.export, [[name.length, ...name, 2, exactMemory]]);
  return withMemory(sections.bytes());
}

/** The last two functions, which mark ranges and restore, are left as they are. */
function rewriteBodies(content: Uint8Array, paramsOf: (index: number) => number): Uint8Array {
  const { value: count, end } = readNumber(content, 0);
  const parts: Uint8Array[] = [content.subarray(0, end)];
  let at = end;
  for (let index = 0; index < count; index += 1) {
    const size = readNumber(content, at);
    const body = content.subarray(size.end, size.end + size.value);
    const noted = index < count - 2 ? noteBody(body, paramsOf(index)) : body;
    parts.push(Uint8Array.from(numberBytes(noted.length)), noted);
    at = size.end + size.value;
  }
  return Buffer.concat(parts);
}

const { i32, i64, f32, f64 } = valueType;
/** The types of the locals that every function gets. */
const added: readonly number[] = [i32, i32, i32, i64, f32, f64];

function noteBody(body: Uint8Array, params: number): Uint8Array {
  const groups = readNumber(body, 0);
  let locals = params;
  let at = groups.end;
  for (let left = groups.value; left > 0; left -= 1) {
    locals += readNumber(body, at).value;
    at = skipNumber(body, at) + 1;
  }
  const local = (index: number): number[] => numberBytes(locals + index);
  const head = [...numberBytes(groups.value + added.length)];
  const parts: Uint8Array[] = [
    Uint8Array.from(head),
    body.subarray(groups.end, at),
    Uint8Array.from(added.flatMap((type) => [1, type])),
  ];
  const [address, size, source] = [local(0), local(1), local(2)];
  while (at < body.length) {
    const { code, first, second, end } = readMarked(body, at);
    const bytes = body.subarray(at, end);
    at = end;
    if (code >= op.firstStore && code <= op.lastStore && first < otherMemory) {
      const { type, width } = storeOf(code);
      const value = local(added.indexOf(type, type === i32 ? 2 : 0));
      const ones = [op.constantWord, ...signedWord(onesOf(width))];
      const note = [noteStore[width] ?? 0, otherMemory, exactMemory, ...numberBytes(second)];
      parts.push(Uint8Array.from([op.localSet, ...value, op.localTee, ...address, op.localGet, ...value]), bytes);
      parts.push(Uint8Array.from([op.localGet, ...address, ...ones, ...note]));
    } else if (code === op.memoryCopy || code === op.memoryFill) {
      const take = [op.localSet, ...size, op.localSet, ...source, op.localTee, ...address];
      parts.push(Uint8Array.from([...take, op.localGet, ...source, op.localGet, ...size]), bytes);
      const fill = [op.constant, 1, op.localGet, ...size, op.prefix, ...numberBytes(op.memoryFill & 0xff), exactMemory];
      parts.push(Uint8Array.from([op.localGet, ...address, ...fill]));
    } else parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/** Stores of so many bytes of a word of 64 bits. */
const noteStore: Readonly<Record<number, number>> = { 1: 0x3c, 2: 0x3d, 4: 0x3e, 8: 0x37 };
const onesOf = (width: number): bigint =>
  Array.from({ length: width }, (_, byte) => 1n << BigInt(8 * byte)).reduce((sum, bit) => sum + bit, 0n);

/** Marks are stores with an index of a memory before the offset. */
function readMarked(body: Uint8Array, at: number): ReturnType<typeof readOperator> {
  const operator = readOperator(body, at);
  const isOther = operator.code >= op.firstLoad && operator.code <= op.lastStore && operator.first >= otherMemory;
  return isOther ? { ...operator, end: skipNumber(body, operator.end) } : operator;
}

/** How many values the functions of each type take. */
function takenByType(content: Uint8Array): number[] {
  const taken: number[] = [];
  for (let { value: left, end: at } = readNumber(content, 0); left > 0; left -= 1) {
    const takes = readNumber(content, at + 1);
    const gives = readNumber(content, takes.end + takes.value);
    taken.push(takes.value);
    at = gives.end + gives.value;
  }
  return taken;
}

function indexesOf(content: Uint8Array): number[] {
  const indexes: number[] = [];
  for (let { value: left, end: at } = readNumber(content, 0); left > 0; left -= 1) {
    const index = readNumber(content, at);
    indexes.push(index.value);
    at = index.end;
  }
  return indexes;
}

/** Adds the memory, before the global variables. */
function withMemory(module: Uint8Array): Uint8Array {
  let at = 8;
  while ((module[at] ?? 0) !== sectionId.global) {
    const size = readNumber(module, at + 1);
    at = size.end + size.value;
  }
  const content = [1, 0, ...numberBytes(exactPages)];
  return Buffer.concat([
    module.subarray(0, at),
    Uint8Array.from([memorySection, content.length, ...content]),
    module.subarray(at),
  ]);
}
