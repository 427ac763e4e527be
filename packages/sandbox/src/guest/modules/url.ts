import all from "unenv/node/url";

import { checkString } from "../node/node-error.ts";

const url = all as { parse: (...given: unknown[]) => unknown; Url: new () => object };

// The package's first parse prints a warning; this keeps it out of the author's logs.
const output = globalThis.console;
const { warn } = output;
output.warn = () => undefined;
url.parse("");
output.warn = warn;

function parse(text: unknown, ...rest: unknown[]): unknown {
  if (!(text instanceof url.Url)) checkString("url", text);
  return url.parse(text, ...rest);
}

export default { ...url, parse, URL, URLSearchParams };
