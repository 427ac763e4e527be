import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";
import { createMarkdownRenderer } from "vitepress";

import { outsideLinks } from "../docs/.vitepress/outside-links.ts";
import { plainText } from "../docs/.vitepress/plain-text.ts";
import { chromiumPath, launchChromium, visit } from "./inspector/chromium.ts";
import { findViolations } from "./inspector/stage.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const repository = "https://git.example.com/x";
const site = mkdtempSync(join(tmpdir(), "x-site-"));
let pages: string[] = [];

const types: { readonly [ending: string]: string } = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://site");
  const file = join(site, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : "");
  try {
    const bytes = readFileSync(file);
    response
      .writeHead(200, { "content-type": types[file.split(".").at(-1) ?? ""] ?? "application/octet-stream" })
      .end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
let base = "";

beforeAll(async () => {
  await promisify(execFile)(
    process.execPath,
    [join(root, "node_modules/vitepress/bin/vitepress.js"), "build", "docs", "--outDir", site],
    {
      cwd: root,
      env: { ...process.env, X_REPOSITORY: `${repository}.git`, NODE_ENV: "production" },
    },
  );
  pages = globSync("**/*.html", { cwd: site }).filter((name) => name !== "404.html");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(site, { recursive: true, force: true });
});

test("has a page for each page of docs/", () => {
  const written = globSync("**/*.md", { cwd: join(root, "docs") }).filter((name) => name !== "README.md");
  const expected = written.map((name) => name.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"));
  expect(pages.toSorted()).toEqual(expected.toSorted());
});

test("has links that lead to pages and headings that are there", () => {
  const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
  const texts = new Map(pages.map((name) => [name, readFileSync(join(site, name), "utf8")]));
  const ids = new Map([...texts].map(([name, html]) => [name, new Set(idsOf(html))]));
  const broken: string[] = [];
  for (const [name, html] of texts)
    for (const [, href = ""] of html.matchAll(/<a [^>]*href="((?!https?:|mailto:)[^"]+)"/g)) {
      const { pathname, hash } = new URL(href, `http://site/${name}`);
      const target = pathname.endsWith("/") ? `${pathname}index.html`.slice(1) : pathname.slice(1);
      const id = decodeURIComponent(hash.slice(1));
      if (!ids.has(target) || (id !== "" && id !== "VPContent" && !ids.get(target)?.has(id)))
        broken.push(`${name}: ${href}`);
    }
  expect(broken).toEqual([]);
});

test("has every page in its navigation", () => {
  const html = readFileSync(join(site, "authoring.html"), "utf8");
  const linked = new Set(
    [...html.matchAll(/ href="\/([^"#]*)"/g)].map(([, href = ""]) => href.replace(/(^|\/)$/, "$1index.html")),
  );
  const decisions = /^decisions\/\d/;
  expect(pages.filter((name) => !linked.has(name) && !decisions.test(name))).toEqual([]);
});

test("links to files outside of docs/ in the repository on the Web", () => {
  const html = readFileSync(join(site, "rest.html"), "utf8");
  expect(html).toContain(`href="${repository}/blob/HEAD/packages/client/README.md"`);
});

test.skipIf(chromiumPath === undefined)(
  "asks no other host, has no errors and fits narrow screens, on each page",
  async () => {
    const browser = await launchChromium();
    try {
      await using visited = await visit(browser, `${base}/`, { width: 390, height: 800 });
      const { page, problems, strangers } = visited;
      const wide: string[] = [];
      for (const name of pages) {
        await page.goto(`${base}/${name}`, { waitUntil: "load" });
        await page.locator("main, .VPHome").first().waitFor();
        if ((await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")) > 0) wide.push(name);
      }
      expect({ problems, strangers, wide }).toEqual({ problems: [], strangers: [], wide: [] });
    } finally {
      await browser.close();
    }
  },
);

test.skipIf(chromiumPath === undefined)("finds pages without asking another host", async () => {
  const browser = await launchChromium();
  try {
    await using visited = await visit(browser, `${base}/authoring.html`);
    const { page, problems, strangers } = visited;
    await page.locator("#local-search button").click();
    await page.locator("#localsearch-input").fill("propDefinition");
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    expect({ problems, strangers }).toEqual({ problems: [], strangers: [] });
  } finally {
    await browser.close();
  }
});

test.skipIf(chromiumPath === undefined).for(["light", "dark"] as const)(
  "has enough contrast in %s colours",
  async (colours) => {
    const browser = await launchChromium();
    try {
      await using visited = await visit(browser, `${base}/`, { colours });
      const { page } = visited;
      const violations: string[] = [];
      for (const name of ["index", "guides/webhook", "tutorial/6-look-inside", "troubleshooting", "cli"]) {
        await page.goto(`${base}/${name}.html`);
        await page.locator("main, .VPHome").first().waitFor();
        violations.push(...(await findViolations(page, '{ runOnly: ["color-contrast"] }')));
      }
      expect(violations).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);

const page = join(root, "docs/rest.md");

/** What a page shows for a text, where the repository has no address. */
async function rendered(text: string): Promise<string> {
  const md = await createMarkdownRenderer(dirname(page), {
    config(md) {
      plainText(md);
      outsideLinks(md, { root, repository: undefined });
    },
  });
  return md.render(text, { path: page, relativePath: "rest.md" });
}

test.for([
  ["[a file](../SECURITY.md)", "<p>a file</p>\n"],
  ["[`a` **file**](../deploy/Dockerfile#x), kept", "<p><code>a</code> <strong>file</strong>, kept</p>\n"],
  ["[a dashboard](grafana-dashboard.json)", "<p>a dashboard</p>"],
  ["[a page](errors.md)", 'href="./errors.html"'],
  ["[a site](https://example.com/x)", 'href="https://example.com/x"'],
  ["an {{ expression }} and a <Tag>", "<p>an &#123;&#123; expression }} and a &lt;Tag&gt;</p>\n"],
  ["<!-- a comment -->", "<!-- a comment -->"],
  ["<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"],
] as const)("renders %j", async ([text, wanted]) => {
  expect(await rendered(text)).toContain(wanted);
});

test("refuses a link to a file that is not there", async () => {
  await expect(rendered("[gone](../packages/gone/README.md)")).rejects.toThrow("links to ../packages/gone/README.md");
});
