import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import type { Answer } from "@x/http";
import { describeRoutes } from "../openapi/document.ts";
import type { Route } from "../route.ts";

const style = `
:root { color-scheme: light dark; --ink: #1d2430; --dim: #5c6675; --paper: #fff; --panel: #f4f6f9; --line: #dde2ea;
  --link: #1455c0; --get: #0b6e4f; --post: #1455c0; --put: #8a5a00; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --dim: #9aa5b4; --paper: #14181f; --panel: #1d232d;
  --line: #313a47; --link: #7fb0ff; --get: #5fd0a5; --post: #7fb0ff; --put: #e5b45b; --delete: #ff8f87; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--panel); border-radius: 4px; padding: 1px 4px; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; margin: 8px 0;
  overflow: auto; max-height: 420px; } pre code { padding: 0; background: none; overflow-wrap: normal; }
.shell { display: grid; grid-template-columns: 300px minmax(0, 1fr); max-width: 1240px; margin: 0 auto; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 20px 16px; border-right: 1px solid var(--line); }
nav h2 { font-size: 12px; text-transform: uppercase; letter-spacing: .05em; color: var(--dim); margin: 18px 0 4px; }
nav a { display: flex; gap: 8px; align-items: baseline; padding: 2px 4px; border-radius: 4px; color: inherit; }
nav a:hover, nav a:focus { background: var(--panel); text-decoration: none; }
nav a span:last-child { min-width: 0; overflow-wrap: anywhere; }
input { width: 100%; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
  border-radius: 6px; padding: 6px 10px; }
main { padding: 20px 32px 80px; min-width: 0; }
h1 { font-size: 24px; margin: 0 0 4px; } h2 { margin: 36px 0 8px; } h3 { margin: 0; font-size: 16px; }
h4 { margin: 16px 0 4px; font-size: 13px; color: var(--dim); }
article { border: 1px solid var(--line); border-radius: 8px; padding: 14px 18px; margin: 14px 0; scroll-margin-top: 12px; }
article:target { border-color: var(--link); }
.method { font: 600 11px ui-monospace, Menlo, Consolas, monospace; color: var(--dim); min-width: 46px; display: inline-block; }
.get { color: var(--get); } .post { color: var(--post); } .put, .patch { color: var(--put); } .delete { color: var(--delete); }
.path { margin: 4px 0; } .dim { color: var(--dim); } .need { color: var(--delete); font-size: 12px; }
table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid var(--line); padding: 5px 10px 5px 0; vertical-align: top; }
td:first-child { width: 26%; } td:nth-child(2) { width: 22%; color: var(--dim); }
ul.schema { list-style: none; margin: 4px 0; padding-left: 14px; border-left: 1px solid var(--line); }
details > summary { cursor: pointer; } .hidden { display: none; } p { margin: 6px 0; }
@media (max-width: 760px) { .shell { grid-template-columns: 1fr; } nav { position: static; height: auto; border: 0; } main { padding: 12px 16px 60px; } }
`;

const hash = createHash("sha256").update(style).digest("base64");

/** Content-Security-Policy: the page may only load its own style, its script and the description. */
export const docsPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'sha256-${hash}'`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The page of the reference; the script renders the description into it. */
export const docsPage = (mountPath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div class="shell">
<nav aria-label="Operations">
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search operations" autocomplete="off">
<div id="list"></div>
</nav>
<main id="main"><p id="status">Loading the description…</p><noscript>This page needs JavaScript; the description is at ${mountPath}/v1/openapi.json.</noscript></main>
</div>
<script type="module" src="${mountPath}/docs/reference.js"></script>
</body>
</html>
`;

/** The script of the page, for browsers. The build copies it beside the bundle. */
export const readDocsScript = (): string => readFileSync(new URL("./reference.js", import.meta.url), "utf8");

function document(mediaType: string, body: string, more: Answer["headers"] = []): Answer {
  const headers: Answer["headers"] = [
    ["content-type", `${mediaType}; charset=utf-8`],
    ["cache-control", "no-cache"],
    ["x-content-type-options", "nosniff"],
    ...more,
  ];
  return { status: 200, headers, body };
}

/** Answers that need no API key, by path: the description of these routes, and the page that shows it. */
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
    ["/docs/reference.js", document("text/javascript", readDocsScript())],
  ]);
}
