import { noResult, op, otherMemory } from "./operators.ts";
import { marksMemory, pieceShift } from "./pieces.ts";
import { numberBytes, signedBytes } from "./wasm-binary.ts";

// Functions that write code of WebAssembly: each returns what leaves its value on the operand stack.

export type Code = readonly number[];

export const get = (local: number): Code => [op.localGet, local];
export const set = (local: number): Code => [op.localSet, local];
export const constant = (value: number): Code => [op.constant, ...signedBytes(value)];
export const add = (...terms: readonly Code[]): Code =>
  terms.flatMap((term, index) => (index === 0 ? term : [...term, op.add]));
export const pieceOf = (address: Code): Code => [...address, ...constant(pieceShift), op.shiftRight];
export const addressOf = (piece: Code): Code => [...piece, ...constant(pieceShift), op.shiftLeft];
export const equal = (left: Code, right: Code): Code => [...left, ...right, op.equal];
export const both = (left: Code, right: Code): Code => [...left, ...right, op.and];
export const either = (left: Code, right: Code): Code => [...left, ...right, op.or];
export const not = (value: Code): Code => [...value, op.isZero];
export const when = (condition: Code, ...then: readonly Code[]): Code => [
  ...condition,
  op.if,
  noResult,
  ...then.flat(),
  op.end,
];
export const loop = (...body: readonly Code[]): Code => [op.loop, noResult, ...body.flat(), op.end];
/** Repeats the loop that this is the last part of. */
export const repeatWhile = (condition: Code): Code => [...condition, op.branchIf, 0];
export const below = (left: Code, right: Code): Code => [...left, ...right, op.below];
export const next = (local: number, by: number): Code => [...add(get(local), constant(by)), ...set(local)];
export const markOf = (piece: Code, after = 0): Code => [...piece, op.load8, otherMemory, marksMemory, after];
export const setMark = (piece: Code, to: number, after = 0): Code => [
  ...piece,
  ...constant(to),
  op.store8,
  otherMemory,
  marksMemory,
  after,
];
export const fillMarks = (piece: Code, to: number, length: Code): Code => [
  ...piece,
  ...constant(to),
  ...length,
  op.prefix,
  ...numberBytes(op.memoryFill & 0xff),
  marksMemory,
];
export const subtract = (left: Code, right: Code): Code => [...left, ...right, op.subtract];
