/** The low bits of a byte of a number, and the bit that says that more bytes follow. */
const sevenBits = 0x7f;
const more = 0x80;
const signBit = 0x40;

export interface ReadNumber {
  readonly value: number;
  readonly end: number;
}

/** Reads an unsigned number of up to 53 bits. */
export function readNumber(bytes: Uint8Array, at: number): ReadNumber {
  let value = 0;
  let end = at;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[end] ?? 0;
    end += 1;
    value += (byte & sevenBits) * scale;
    if (byte < more) return { value, end };
  }
}

/** The position after a number of any size. */
export function skipNumber(bytes: Uint8Array, at: number): number {
  let end = at;
  while ((bytes[end] ?? 0) >= more) end += 1;
  return end + 1;
}

export function numberBytes(value: number): number[] {
  const low = value & sevenBits;
  return value > sevenBits ? [low | more, ...numberBytes(value >>> 7)] : [low];
}

/** The bytes of a constant of 32 bits. */
export function signedBytes(value: number): number[] {
  const low = value & sevenBits;
  const rest = value >> 7;
  const isLast = (rest === 0 && (low & signBit) === 0) || (rest === -1 && (low & signBit) !== 0);
  return isLast ? [low] : [low | more, ...signedBytes(rest)];
}

/** The bytes of a constant of 64 bits. */
export function signedWord(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isLast = (rest === 0n && (low & signBit) === 0) || (rest === -1n && (low & signBit) !== 0);
  return isLast ? [low] : [low | more, ...signedWord(rest)];
}

export const nameBytes = (name: string): number[] => {
  const bytes = new TextEncoder().encode(name);
  return [...numberBytes(bytes.length), ...bytes];
};

export const sectionId = { type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 } as const;

const headerBytes = 8;

/** The sections of a module, in order. */
export class WasmSections {
  readonly #header: Uint8Array;
  readonly #sections: { readonly id: number; content: Uint8Array }[] = [];

  constructor(module: Uint8Array) {
    this.#header = module.subarray(0, headerBytes);
    for (let at = headerBytes; at < module.length;) {
      const { value, end } = readNumber(module, at + 1);
      this.#sections.push({ id: module[at] ?? 0, content: module.subarray(end, end + value) });
      at = end + value;
    }
  }

  has(id: number): boolean {
    return this.#sections.some((section) => section.id === id);
  }

  content(id: number): Uint8Array {
    return this.#section(id).content;
  }

  replace(id: number, content: Uint8Array): void {
    this.#section(id).content = content;
  }

  /** Adds items to a section that is a list; returns the index of the first one. */
  append(id: number, items: readonly (readonly number[])[]): number {
    const section = this.#section(id);
    const { value, end } = readNumber(section.content, 0);
    section.content = Buffer.concat([
      Uint8Array.from(numberBytes(value + items.length)),
      section.content.subarray(end),
      ...items.map((item) => Uint8Array.from(item)),
    ]);
    return value;
  }

  /** The module. */
  bytes(): Uint8Array {
    const parts = this.#sections.flatMap(({ id, content }) => [
      Uint8Array.from([id, ...numberBytes(content.length)]),
      content,
    ]);
    return Buffer.concat([this.#header, ...parts]);
  }

  #section(id: number): { content: Uint8Array } {
    const found = this.#sections.find((section) => section.id === id);
    if (!found) throw new TypeError(`The module has no section ${id}`);
    return found;
  }
}
