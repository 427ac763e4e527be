import { noResult, op, operandsOf, type Operator, otherMemory, readOperator, storeOf, valueType } from "./operators.ts";
import { numberBytes, readNumber, signedBytes, skipNumber } from "./wasm-binary.ts";
import { coveredBytes, mark, marksMemory, pieceShift, stackPointer } from "./pieces.ts";

/** How many values a function takes and gives. */
export interface Signature {
  readonly takes: number;
  readonly gives: number;
}

/** What the rewriting of a function needs to know of its module. */
export interface ModuleShape {
  readonly types: readonly Signature[];
  /** By the index of the function. */
  readonly functions: readonly Signature[];
  /** Index of the function that marks what a bulk operator wrote. */
  readonly markRange: number;
}

/** What is known of a value on the operand stack. */
type Known =
  | { readonly kind: "local"; readonly index: number; readonly version: number }
  | { readonly kind: "stack pointer" }
  | { readonly kind: "constant"; readonly value: number }
  /** The stack pointer less a constant, the size of a frame. */
  | { readonly kind: "frame"; readonly size: number }
  /** The stack pointer as it was before a frame. */
  | { readonly kind: "frame end" }
  | undefined;

interface Block {
  readonly code: number;
  readonly height: number;
  readonly gives: number;
  /** What was marked before it. */
  readonly marked: ReadonlySet<string>;
}

/** Marks the piece of an address that a local has. */
function markCode(local: readonly number[], offset: number): number[] {
  const address = offset === 0 ? [] : [op.constant, ...signedBytes(offset), op.add];
  const piece = [op.localGet, ...local, ...address, op.constant, pieceShift, op.shiftRight];
  return [...piece, op.constant, mark.written, op.store8, otherMemory, marksMemory, 0];
}

/** Rewrites one function so that every store is followed by the mark of its piece of memory. */
export class FunctionBody {
  readonly #shape: ModuleShape;
  readonly #bytes: Uint8Array;
  readonly #takes: number;
  readonly #parts: Uint8Array[] = [];
  /** Everything before it is in the parts. */
  #copiedTo = 0;
  readonly #stack: Known[] = [];
  readonly #blocks: Block[];
  /** How often each local was assigned up to here. */
  readonly #versions = new Map<number, number>();
  readonly #assignments = new Map<number, number>();
  /** Sizes of the frames that locals point to. */
  readonly #frames = new Map<number, number>();
  /** Locals, with version and offset, whose piece is marked here. */
  #marked = new Set<string>();
  readonly #added: number[] = [];
  #locals = 0;
  /** Blocks inside code that is never reached; undefined in other code. */
  #deadBlocks: number | undefined;

  constructor(shape: ModuleShape, bytes: Uint8Array, { takes, gives }: Signature) {
    this.#shape = shape;
    this.#bytes = bytes;
    this.#takes = takes;
    this.#blocks = [{ code: op.block, height: 0, gives, marked: new Set() }];
  }

  rewritten(): Uint8Array {
    const groupsEnd = this.#readLocals();
    this.#copiedTo = groupsEnd;
    for (const { code, first } of this.#operators(groupsEnd)) {
      if (code === op.localSet || code === op.localTee)
        this.#assignments.set(first, (this.#assignments.get(first) ?? 0) + 1);
    }
    for (const operator of this.#operators(groupsEnd)) this.#rewrite(operator);
    this.#insert(this.#bytes.length, []);
    const { value: count, end } = readNumber(this.#bytes, 0);
    return Buffer.concat([
      Uint8Array.from(numberBytes(count + this.#added.length)),
      this.#bytes.subarray(end, groupsEnd),
      Uint8Array.from(this.#added.flatMap((type) => [1, type])),
      ...this.#parts,
    ]);
  }

  *#operators(from: number): Iterable<Operator> {
    for (let at = from; at < this.#bytes.length;) {
      const operator = readOperator(this.#bytes, at);
      yield operator;
      at = operator.end;
    }
  }

  /** Copies the function up to a position and adds code there. */
  #insert(at: number, code: readonly number[]): void {
    this.#parts.push(this.#bytes.subarray(this.#copiedTo, at), Uint8Array.from(code));
    this.#copiedTo = at;
  }

  /** Returns the end of the groups of locals, where the code begins. */
  #readLocals(): number {
    let { value: left, end } = readNumber(this.#bytes, 0);
    this.#locals = this.#takes;
    for (; left > 0; left -= 1) {
      this.#locals += readNumber(this.#bytes, end).value;
      end = skipNumber(this.#bytes, end) + 1;
    }
    return end;
  }

  #rewrite(operator: Operator): void {
    const { code } = operator;
    if (this.#deadBlocks !== undefined) this.#passDead(code);
    else if (code >= op.firstStore && code <= op.lastStore) this.#store(operator);
    else if (code === op.memoryCopy || code === op.memoryFill) this.#writeRange(operator);
    else if (code === op.globalSet && operator.first === stackPointer) this.#moveStack(operator);
    else this.#follow(operator);
  }

  /** Code after a jump: nothing runs it. */
  #passDead(code: number): void {
    const inside = this.#deadBlocks ?? 0;
    if (code >= op.block && code <= op.if) this.#deadBlocks = inside + 1;
    else if (code === op.end && inside > 0) this.#deadBlocks = inside - 1;
    else if (inside === 0 && (code === op.end || code === op.else)) {
      const { height, gives } = this.#block();
      this.#deadBlocks = undefined;
      this.#stack.length = height;
      this.#give(gives);
      this.#leave(code);
    }
  }

  #store({ code, first, second: offset, at, end }: Operator): void {
    if (first >= otherMemory) throw new TypeError("The engine has several memories");
    const { type, width } = storeOf(code);
    this.#take();
    const address = this.#current(this.#take());
    const from = offset + width <= coveredBytes ? 0 : offset;
    if (address === undefined) {
      const [value, local] = [this.#temporary(type), this.#temporary(valueType.i32, 1)];
      this.#insert(at, [op.localSet, ...value, op.localTee, ...local, op.localGet, ...value]);
      return this.#insert(end, markCode(local, from));
    }
    // The stack above the mark of a frame is taken as written.
    if (offset + width <= (this.#frames.get(address.index) ?? 0)) return;
    const key = `${address.index} ${address.version} ${from}`;
    if (this.#marked.has(key)) return;
    this.#marked.add(key);
    this.#insert(end, markCode(numberBytes(address.index), from));
  }

  #writeRange({ first, second, at, end }: Operator): void {
    if (first + second > 0) throw new TypeError("The engine has several memories");
    this.#take(3);
    const { i32 } = valueType;
    const [length, source, to] = [this.#temporary(i32), this.#temporary(i32, 1), this.#temporary(i32, 2)];
    const sourceAndLength = [op.localGet, ...source, op.localGet, ...length];
    this.#insert(at, [op.localSet, ...length, op.localSet, ...source, op.localTee, ...to, ...sourceAndLength]);
    const call = [op.call, ...numberBytes(this.#shape.markRange)];
    this.#insert(end, [op.localGet, ...to, op.localGet, ...length, ...call]);
  }

  /** Marks how far down the stack reaches. */
  #moveStack({ at, end }: Operator): void {
    const value = this.#take();
    if (value?.kind === "frame end" || this.#frames.has(this.#current(value)?.index ?? -1)) return;
    const local = this.#temporary(valueType.i32, 1);
    this.#insert(at, [op.localTee, ...local]);
    this.#insert(end, markCode(local, 0));
  }

  /** Keeps account of the operand stack, the blocks and the locals. */
  #follow(operator: Operator): void {
    const { code, first } = operator;
    switch (code) {
      case op.if:
      case op.block:
      case op.loop:
        if (code === op.if) this.#take();
        return this.#enter(code, first);
      case op.else:
      case op.end:
        return this.#leave(code);
      case op.unreachable:
      case op.return:
      case op.branch:
      case op.branchTable:
        this.#deadBlocks = 0;
        return;
      case op.branchIf:
        return void this.#take();
      case op.call:
        return this.#call(this.#shape.functions[first]);
      case op.callIndirect:
        this.#take();
        return this.#call(this.#shape.types[first]);
      case op.localSet:
      case op.localTee:
        return this.#assign(operator);
      default:
        return this.#operate(operator);
    }
  }

  #operate({ code, first }: Operator): void {
    const { takes, gives } = operandsOf(code);
    const right = takes > 0 ? this.#take() : undefined;
    const left = takes > 1 ? this.#take(takes - 1) : undefined;
    if (gives > 0) this.#stack.push(this.#result(code, first, right, left));
  }

  #result(code: number, first: number, right: Known, left: Known): Known {
    if (code === op.localGet) return { kind: "local", index: first, version: this.#version(first) };
    if (code === op.globalGet) return first === stackPointer ? { kind: "stack pointer" } : undefined;
    if (code === op.constant) return { kind: "constant", value: first };
    if (right?.kind !== "constant") return undefined;
    if (code === op.subtract && left?.kind === "stack pointer") return { kind: "frame", size: right.value };
    const frame = this.#frames.get(this.#current(left)?.index ?? -1);
    return code === op.add && frame === right.value ? { kind: "frame end" } : undefined;
  }

  #assign({ code, first: index, end }: Operator): void {
    const value = this.#take();
    const version = this.#version(index) + 1;
    this.#versions.set(index, version);
    if (code === op.localTee) this.#stack.push({ kind: "local", index, version });
    const isOnly = index >= this.#takes && this.#assignments.get(index) === 1;
    if (value?.kind !== "frame" || !isOnly || this.#blocks.length > 1) return;
    this.#frames.set(index, value.size);
    this.#insert(end, markCode(numberBytes(index), 0));
  }

  #call(signature: Signature | undefined): void {
    if (!signature) throw new TypeError("The engine calls an unknown function");
    this.#take(signature.takes);
    this.#give(signature.gives);
  }

  #enter(code: number, type: number): void {
    const isValue = type >= valueType.f64 && type <= valueType.i32;
    if (!isValue && type !== noResult) throw new TypeError("The engine has a block with several values");
    this.#blocks.push({ code, height: this.#stack.length, gives: isValue ? 1 : 0, marked: this.#marked });
    // A loop comes back here after it assigned other values.
    this.#marked = new Set(code === op.loop ? [] : this.#marked);
  }

  #leave(code: number): void {
    const block = this.#block();
    if (this.#stack.length !== block.height + block.gives) throw new TypeError("The operand stack is not understood");
    this.#stack.length = block.height;
    this.#marked = new Set(block.marked);
    if (code === op.else) return;
    this.#blocks.pop();
    this.#give(block.gives);
  }

  /** A local that still has the value that was pushed. */
  #current(value: Known): { readonly index: number; readonly version: number } | undefined {
    return value?.kind === "local" && value.version === this.#version(value.index) ? value : undefined;
  }

  #version(index: number): number {
    return this.#versions.get(index) ?? 0;
  }

  /** Takes values; returns the last one, which lies lowest. */
  #take(count = 1): Known {
    let taken: Known;
    for (let left = count; left > 0; left -= 1) {
      if (this.#stack.length <= this.#block().height) throw new TypeError("The operand stack is not understood");
      taken = this.#stack.pop();
    }
    return taken;
  }

  /** Adds values of which nothing is known. */
  #give(count: number): void {
    for (let left = count; left > 0; left -= 1) this.#stack.push(undefined);
  }

  #block(): Block {
    const block = this.#blocks.at(-1);
    if (!block) throw new TypeError("The function has ended");
    return block;
  }

  /** A local of the rewriting; `nth` of its type. */
  #temporary(type: number, nth = 0): number[] {
    let left = nth;
    for (const [index, other] of this.#added.entries()) {
      if (other === type && left-- === 0) return numberBytes(this.#locals + index);
    }
    this.#added.push(type);
    return this.#temporary(type, nth);
  }
}
