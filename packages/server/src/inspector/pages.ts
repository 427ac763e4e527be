import { readFileSync } from "node:fs";

import { type InspectorFile, inspectorFolder, readInspectorFiles } from "@x/inspector";

import type { Answer } from "../answer.ts";

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

/** The static files of the inspector. */
export interface InspectorPages {
  /** The answer for a path below the mount path; undefined for other paths. */
  find(path: string, headers: Headers): Answer | undefined;
}

export function createInspectorPages(mountPath: string): InspectorPages {
  const files = new Map(readInspectorFiles().map((file) => [`/${file.path === pagePath ? "" : file.path}`, file]));
  const bodies = new Map<InspectorFile, Uint8Array>();

  function read(file: InspectorFile): Uint8Array {
    const bytes = readFileSync(new URL(file.path, inspectorFolder));
    if (file.path !== pagePath) return bytes;
    // The page names its files relative to itself, and may be asked for without the last slash.
    return Buffer.from(bytes.toString("utf8").replaceAll('"./', `"${mountPath}/`));
  }

  function bodyOf(file: InspectorFile): Uint8Array {
    const body = bodies.get(file) ?? read(file);
    bodies.set(file, body);
    return body;
  }

  return {
    find(path, headers) {
      const file = files.get(path);
      if (!file) return undefined;
      const tag = `"${file.hash}"`;
      const shared: Answer["headers"] = [
        ...common,
        ["etag", tag],
        ["cache-control", file.immutable ? forever : "no-cache"],
        ...(file.path === pagePath ? [["content-security-policy", pagePolicy] as const] : []),
      ];
      if (headers.get("if-none-match") === tag) return { status: 304, headers: shared, body: null };
      return { status: 200, headers: [["content-type", file.type], ...shared], body: bodyOf(file) };
    },
  };
}
