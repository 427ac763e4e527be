import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { launchChromium, visit, type Visit } from "../inspector/chromium.ts";
import type { PictureMoment } from "./walk.ts";

type Page = Visit["page"];

interface Picture {
  /** The page of the inspector, with ids of the tutorial. */
  readonly path: string;
  readonly height: number;
  /** Waits for what the tutorial says that it shows. */
  ready(page: Page): Promise<unknown>;
}

const pictures: { readonly [name: string]: Picture } = {
  "tutorial-sources.png": {
    path: "/sources",
    height: 420,
    ready: (page) => page.getByRole("link", { name: "releases", exact: true }).waitFor(),
  },
  "tutorial-failed-run.png": {
    path: "/runs/3MjJFa2Z5leuqzZXIMUOqxdInEK",
    height: 680,
    ready: (page) => page.getByRole("region", { name: "Error" }).getByText("releases.js").first().waitFor(),
  },
  "tutorial-make-a-test.png": {
    path: "/runs/3MjJEqhARQEDaIE0LhjMEGbqnMH",
    height: 680,
    async ready(page) {
      await page.getByRole("button", { name: "Make a test" }).click();
      await page.getByLabel("The test").filter({ hasText: "releases.js" }).waitFor();
    },
  },
};

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));

/** Replaces an address in the texts of a page: pictures have the one that readers have. */
const replaceTexts = (from: string, to: string): string => `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replaceAll(${JSON.stringify(from)}, ${JSON.stringify(to)});
}`;

/** Opens the page of the inspector that a picture shows, and waits for what it shows; with `renew`, takes the picture anew. */
export async function look(moment: PictureMoment, renew: boolean): Promise<readonly string[]> {
  const picture = pictures[moment.name];
  if (!picture) throw new Error(`Nobody knows what ${moment.name} shows.`);
  const browser = await launchChromium();
  try {
    await using visited = await visit(browser, moment.url, { width: 1120, height: picture.height });
    const { page, problems, strangers } = visited;
    await page.getByLabel("API key").fill(moment.apiKey);
    await page.keyboard.press("Enter");
    await page.locator(".shell").waitFor();
    await page.goto(`${moment.url}/#${moment.actual(picture.path)}`);
    await picture.ready(page);
    for (const example of ["http://127.0.0.1:7777", "https://registry.example.com"]) {
      await page.evaluate(replaceTexts(moment.actual(example), example));
      await page.evaluate(replaceTexts(new URL(moment.actual(example)).host, new URL(example).host));
    }
    if (renew) writeFileSync(`${folder}${moment.name}`, await page.screenshot());
    return [...problems, ...strangers];
  } finally {
    await browser.close();
  }
}
