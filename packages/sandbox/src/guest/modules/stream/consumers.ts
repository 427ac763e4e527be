type Chunks = AsyncIterable<Uint8Array | string>;

async function buffer(chunks: Chunks): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(read);
}

async function text(chunks: Chunks): Promise<string> {
  const decoder = new TextDecoder();
  let read = "";
  for await (const chunk of chunks) read += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  return read + decoder.decode();
}

export default {
  buffer,
  text,
  arrayBuffer: async (chunks: Chunks) => Uint8Array.from(await buffer(chunks)).buffer,
  blob: async (chunks: Chunks) => new Blob([Uint8Array.from(await buffer(chunks))]),
  json: async (chunks: Chunks) => JSON.parse(await text(chunks)) as unknown,
};
