import { type Listing, stampOf } from "./scan.ts";
import { stem } from "./names.ts";

/**
 * Changes when one of the files does, or when a file appears or goes that an import of one of them could mean instead.
 * Files beside the listing are looked at themselves.
 */
export async function signatureOf(files: readonly string[], listing: Listing): Promise<string> {
  const paths = new Set(files.flatMap((file) => [file, ...(listing.stems.get(stem(file)) ?? [])]));
  const lines = [...paths].map(async (path) => `${path} ${listing.stamps.get(path) ?? (await stampOf(path))}`);
  return (await Promise.all(lines)).sort().join("\n");
}
