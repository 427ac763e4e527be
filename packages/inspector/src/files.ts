import { readFileSync } from "node:fs";

/** A content coding of HTTP. */
export type ContentCoding = "br" | "gzip";

const endings: Readonly<Record<ContentCoding, string>> = { br: ".br", gzip: ".gz" };

/** One static file of the web application. */
export interface InspectorFile {
  /** Its path relative to the folder, and to the URL at which the application is served; `index.html` is the page itself. */
  readonly path: string;
  /** Its content type. */
  readonly type: string;
  readonly bytes: number;
  /** SHA-256 of its content in base64url; an ETag. */
  readonly hash: string;
  /** The content codings in which there is a smaller copy of it, the smallest first. */
  readonly codings: readonly ContentCoding[];
  /** True when the name changes with the content, so that it can be cached for ever. */
  readonly immutable: boolean;
}

/** The folder of the static files. The same path from `src` and from `dist`. */
export const inspectorFolder: URL = new URL("../dist/static/", import.meta.url);

/** Where a file is, or its copy in this coding. */
export const inspectorFileUrl = ({ path }: Pick<InspectorFile, "path">, coding?: ContentCoding): URL =>
  new URL(path + (coding === undefined ? "" : endings[coding]), inspectorFolder);

/** The static files, as the build has written them. */
export function readInspectorFiles(): readonly InspectorFile[] {
  const list = readFileSync(new URL("../dist/files.json", import.meta.url), "utf8");
  return (JSON.parse(list) as { files: InspectorFile[] }).files;
}
