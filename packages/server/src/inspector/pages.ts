import { readFileSync } from "node:fs";

import { type ContentCoding, type InspectorFile, inspectorFileUrl, readInspectorFiles } from "@x/inspector";

import { type Answer, acceptedCoding } from "@x/http";

/** Content-Security-Policy of the pages: nothing of another host, no inline code or style, no text that becomes markup. */
const pagePolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * Content-Security-Policy of what components answer on the origin of the inspector: as a page it gets an origin of its own, so
 * that its scripts cannot use the session of the inspector.
 */
export const endpointPolicy: string =
  "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads allow-top-navigation-by-user-activation";

const common: Answer["headers"] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
];

const pagePath = "index.html";
const forever = "public, max-age=31536000, immutable";

/** True when the client has the copy with this tag; a cache may have marked it as weak. */
const hasTag = (ifNoneMatch: string | null, tag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((given) => given.trim().replace(/^W\//, "") === tag);

/** The static files of the inspector. */
export interface InspectorPages {
  /** The answer for a path below the mount path; undefined for other paths. */
  find(path: string, headers: Headers): Answer | undefined;
}

export function createInspectorPages(mountPath: string): InspectorPages {
  const files = new Map(readInspectorFiles().map((file) => [`/${file.path === pagePath ? "" : file.path}`, file]));
  const bodies = new Map<string, Uint8Array>();

  function read(file: InspectorFile, coding: ContentCoding | undefined): Uint8Array {
    const bytes = readFileSync(inspectorFileUrl(file, coding));
    if (file.path !== pagePath) return bytes;
    // The page names its files relative to itself, and may be asked for without the last slash.
    return Buffer.from(bytes.toString("utf8").replaceAll('"./', `"${mountPath}/`));
  }

  function bodyOf(file: InspectorFile, coding: ContentCoding | undefined): Uint8Array {
    const key = `${coding} ${file.path}`;
    const body = bodies.get(key) ?? read(file, coding);
    bodies.set(key, body);
    return body;
  }

  return {
    find(path, headers) {
      const file = files.get(path);
      if (!file) return undefined;
      const coding = acceptedCoding(headers.get("accept-encoding"), file.codings);
      // Caches tell copies in different codings apart by it.
      const tag = `"${file.hash}${coding === undefined ? "" : `-${coding}`}"`;
      const shared: Answer["headers"] = [
        ...common,
        ["etag", tag],
        ["vary", "accept-encoding"],
        ["cache-control", file.immutable ? forever : "no-cache"],
        ...(file.path === pagePath ? [["content-security-policy", pagePolicy] as const] : []),
      ];
      if (hasTag(headers.get("if-none-match"), tag)) return { status: 304, headers: shared, body: null };
      const own: Answer["headers"] = [
        ["content-type", file.type],
        ...(coding === undefined ? [] : [["content-encoding", coding] as const]),
      ];
      return { status: 200, headers: [...own, ...shared], body: bodyOf(file, coding) };
    },
  };
}
