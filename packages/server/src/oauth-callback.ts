import { createHash } from "node:crypto";

import { type Runtime, XError } from "@x/runtime";

import { type Answer, failureAnswer, refuseMethod } from "@x/http";

/** Where authorization servers send browsers, below the mount path. */
export const callbackPath = "/oauth/callback";

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}
button{font:inherit;padding:.4rem 1rem}`;

/** Nothing but its own style and form: the address of the page has a code, which no other page gets. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? "");

function page(status: number, title: string, text: string, more = ""): Answer {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${more}</main></body></html>
`;
  const headers: Answer["headers"] = [
    ["content-type", "text/html; charset=utf-8"],
    ["cache-control", "no-store"],
    ["content-security-policy", policy],
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["referrer-policy", "no-referrer"],
    ["x-content-type-options", "nosniff"],
  ];
  return { status, headers, body };
}

/** Asks first: on a service of several users, somebody else may have sent the link. */
const question = page(
  200,
  "Connect this account?",
  "Go on only if you began this yourself a moment ago. A person who sent you a link to this page would get access to the account.",
  '<form method="post"><button>Connect</button></form>',
);

/**
 * Answers the browser that an authorization server sent. It leads nowhere else, whatever the address says. Errors are shown
 * as text.
 */
export async function answerCallback(
  runtime: Pick<Runtime, "answerConnection" | "users">,
  { method, url }: { readonly method: string; readonly url: string },
  report: (cause: unknown) => void,
): Promise<Answer> {
  if (method !== "GET" && method !== "POST") refuseMethod(method, ["GET", "POST"]);
  try {
    if (method === "GET" && (await runtime.users()).length > 1) return question;
    await runtime.answerConnection(url);
    return page(200, "Connected", "The account is connected. You can close this page.");
  } catch (error) {
    const { status } = failureAnswer(error, report);
    const text = XError.is(error) && status < 500 ? error.message : "The service failed; its log says why.";
    return page(status, "Not connected", text);
  }
}
