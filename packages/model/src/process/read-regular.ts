import { constants, open } from "node:fs/promises";

/** Reads a file. Rejects for pipes and devices, which might never end, and for more than `maxBytes`. */
export async function readRegular(path: string, maxBytes: number = Infinity): Promise<Buffer> {
  // Otherwise opening a pipe would wait for a writer. Windows has neither the flag nor such pipes.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error(`${path} is not a file`);
    if (found.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
