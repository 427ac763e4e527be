/** The name under which `exportTable` exports a module's table of functions. Its own exports have shorter ones. */
export const tableName = "functions";

const headerBytes = 8;
const exportSection = 7;
const tableKind = 1;
const sevenBits = 0x7f;
const more = 0x80;

function readNumber(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end] ?? 0;
    end += 1;
    value += (byte & sevenBits) * 2 ** shift;
    if (byte < more) return { value, end };
  }
}

function numberBytes(value: number): number[] {
  const low = value & sevenBits;
  return value > sevenBits ? [low | more, ...numberBytes(value >>> 7)] : [low];
}

/** The same WebAssembly module, which exports its table of functions too. A module without exports stays as it is. */
export function exportTable(module: Uint8Array): Uint8Array {
  let at = headerBytes;
  while (at < module.length) {
    const section = readNumber(module, at + 1);
    const end = section.end + section.value;
    if (module[at] !== exportSection) {
      at = end;
      continue;
    }
    const count = readNumber(module, section.end);
    const name = new TextEncoder().encode(tableName);
    const entry = [...numberBytes(name.length), ...name, tableKind, 0];
    const content = [...numberBytes(count.value + 1), ...module.subarray(count.end, end), ...entry];
    return Buffer.concat([
      module.subarray(0, at + 1),
      Uint8Array.from([...numberBytes(content.length), ...content]),
      module.subarray(end),
    ]);
  }
  return module;
}
