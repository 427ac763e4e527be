import type { Answer } from "./answer.ts";
import { docsPage, docsPolicy } from "./docs/page.ts";
import { docsScript } from "./docs/script.ts";
import { describeRoutes } from "./openapi/document.ts";
import type { Route } from "./route.ts";

function document(mediaType: string, body: string, more: Answer["headers"] = []): Answer {
  const headers: Answer["headers"] = [
    ["content-type", `${mediaType}; charset=utf-8`],
    ["cache-control", "no-cache"],
    ["x-content-type-options", "nosniff"],
    ...more,
  ];
  return { status: 200, headers, body };
}

/** What is read without a key, by path: the description of these routes, and the pages that show it. */
export function createDocuments(
  base: string,
  routes: readonly Route[],
  mountPath: string,
): ReadonlyMap<string, Answer> {
  const page = document("text/html", docsPage(mountPath), [
    ["content-security-policy", docsPolicy],
    ["referrer-policy", "no-referrer"],
  ]);
  return new Map([
    [`${base}/openapi.json`, document("application/json", JSON.stringify(describeRoutes(routes, mountPath)))],
    ["/docs", page],
    ["/docs/", page],
    ["/docs/reference.js", document("text/javascript", docsScript)],
  ]);
}
