import { readFile } from "node:fs/promises";

import type { Sandbox } from "../../packages/sandbox/src/contract.ts";
import { type Report, runBoth } from "./report.ts";

interface UrlCase {
  readonly input: string;
  readonly failure?: true;
}

const parts = "href,origin,protocol,username,password,host,hostname,port,pathname,search,hash";

/**
 * The absolute ones of web-platform-tests' url/resources/urltestdata.json, as @wordpress/url carries them: whether a text
 * is a URL. The parts are compared with Node's, whose parser passes the whole of that file.
 */
export async function compareUrls(sandbox: Sandbox, modules: string): Promise<Report> {
  const file = `${modules}@wordpress/url/src/test/fixtures/wpt-data.json`;
  const cases = JSON.parse(await readFile(file, "utf8")) as UrlCase[];
  const { guest, node } = await runBoth<(Record<string, string> | null)[]>(
    sandbox,
    `return ${JSON.stringify(cases.map(({ input }) => input))}.map((input) => {
      try {
        const url = new URL(input);
        return Object.fromEntries("${parts}".split(",").map((part) => [part, url[part]]));
      } catch (error) {
        if (!(error instanceof TypeError) || error.code !== "ERR_INVALID_URL") throw error;
        return null;
      }
    });`,
  );
  const failed = (results: typeof guest, other: typeof guest): string[] =>
    cases
      .filter(({ failure }, index) => {
        const isUrl = results[index] !== null;
        return isUrl === Boolean(failure) || JSON.stringify(results[index]) !== JSON.stringify(other[index]);
      })
      .map(({ input }) => JSON.stringify(input));
  return { name: "URL, web-platform-tests", total: cases.length, guest: failed(guest, node), node: failed(node, node) };
}
