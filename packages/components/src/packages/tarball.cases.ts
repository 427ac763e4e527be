import { gzipSync } from "node:zlib";

const block = 512;
const octal = (value: number, width: number): string => value.toString(8).padStart(width - 1, "0") + "\0";

/** Archive entries that npm never writes: unchecked paths and links. */
export interface OddEntry {
  readonly path: string;
  readonly text?: string;
  /** 1: a hard link, 2: a symbolic one. */
  readonly type?: "1" | "2";
  readonly link?: string;
}

function header(path: string, size: number, type = "0", link = ""): Buffer {
  const bytes = Buffer.alloc(block);
  bytes.write(path, 0);
  bytes.write(octal(0o644, 8), 100);
  bytes.write(octal(0, 8), 108);
  bytes.write(octal(0, 8), 116);
  bytes.write(octal(size, 12), 124);
  bytes.write(octal(0, 12), 136);
  bytes.write(`        ${type}${link}`, 148);
  bytes.write("ustar\x0000", 257);
  bytes.write(
    octal(
      bytes.reduce((sum, byte) => sum + byte, 0),
      7,
    ) + " ",
    148,
  );
  return bytes;
}

/** An archive of an npm package with these files. */
export function packTarball(files: Readonly<Record<string, string>>, odd: readonly OddEntry[] = []): Buffer {
  const parts = Object.entries(files).flatMap(([path, text]) => {
    const body = Buffer.from(text);
    return [header(`package/${path}`, body.length), body, Buffer.alloc((block - (body.length % block)) % block)];
  });
  const others = odd.flatMap(({ path, text = "", type, link }) => {
    const body = Buffer.from(text);
    return [header(path, body.length, type, link), body, Buffer.alloc((block - (body.length % block)) % block)];
  });
  return gzipSync(Buffer.concat([...parts, ...others, Buffer.alloc(2 * block)]), { level: 1 });
}
