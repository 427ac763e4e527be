import type { parse } from "node:url";

import all from "unenv/node/url";

const url = all as { parse: typeof parse };

// Its first parse warns on the console; take that away from the author's logs.
const output = globalThis.console;
const { warn } = output;
output.warn = () => undefined;
url.parse("");
output.warn = warn;

export default { ...url, URL, URLSearchParams };
