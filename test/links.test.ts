import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = globSync(["*.md", "{packages,examples}/*/README.md", "docs/**/*.md", "deploy/*.md"], {
  cwd: root,
  exclude: ["**/node_modules"],
});

const read = (path: string): string => readFileSync(path, "utf8").replaceAll(/^```[^]*?^```$/gm, "");

/** The anchors of a page, as the repository on the Web makes them from its headings. */
const anchorsOf = (path: string): Set<string> =>
  new Set(
    [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );

/** The headings of the site have a dash for each sign that they lack; a test of the site checks those. */
const isOnSite = (path: string): boolean => !relative(join(root, "docs"), path).startsWith("..");

test("links of every page lead to files and headings that are there", () => {
  let checked = 0;
  const broken = pages.flatMap((page) =>
    [...read(join(root, page)).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      checked++;
      const [path = "", anchor = ""] = link.split("#");
      const target = path === "" ? join(root, page) : resolve(root, dirname(page), path);
      const isThere =
        existsSync(target) &&
        (anchor === "" || !target.endsWith(".md") || isOnSite(target) || anchorsOf(target).has(anchor));
      return isThere ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
  expect(checked).toBeGreaterThan(300);
});
