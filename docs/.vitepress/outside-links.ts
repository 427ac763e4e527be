import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

interface Options {
  /** The folder of the repository. */
  readonly root: string;
  /** Its address on the Web, as of `https://github.com/owner/name`. */
  readonly repository: string | undefined;
}

/**
 * Links to files of the repository that are no pages of `docs/` lead to the repository on the Web; without an address of it, their
 * text stays. A link to a file that is not there is an error.
 */
export function outsideLinks(md: MarkdownRenderer, { root, repository }: Options): void {
  const docs = resolve(root, "docs");

  /** The path in the repository of a linked file that is no page. */
  function outsidePath(href: string, page: string): string | undefined {
    const [path = ""] = href.split("#");
    if (path === "" || /^(?:[a-z]+:|\/)/.test(path)) return undefined;
    const target = resolve(dirname(page), path);
    if (target.endsWith(".md") && !relative(docs, target).startsWith("..")) return undefined;
    if (!existsSync(target)) throw new Error(`${page} links to ${href}, which is not there.`);
    return relative(root, target);
  }

  md.core.ruler.push("outside_links", ({ tokens, env }) => {
    const { path: page } = env as MarkdownEnv;
    for (const block of tokens) {
      let inLostLink = false;
      block.children = (block.children ?? []).filter((token) => {
        if (token.type === "link_open") {
          const path = outsidePath(token.attrGet("href") ?? "", page);
          if (path !== undefined) token.attrSet("href", `${repository}/blob/HEAD/${path}`);
          inLostLink = path !== undefined && repository === undefined;
          return !inLostLink;
        }
        return !(inLostLink && token.type === "link_close");
      });
    }
  });
}
