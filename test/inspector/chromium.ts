import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser of the system; undefined when there is none. */
export const chromiumPath: string | undefined = paths.find((path) => existsSync(path));

/** Why tests in a browser are skipped. */
export const noChromium: string = `there is no browser at ${paths.join(", ")}; on Debian: apt-get install chromium`;

/** Nothing that reaches out of the machine, and no features that a headless page does not need. */
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const hangMs = 120_000;

/** Starts the browser with an empty profile. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ ...(chromiumPath !== undefined && { executablePath: chromiumPath }), args: flags });

export interface View {
  readonly width?: number;
  readonly height?: number;
  readonly colours?: "light" | "dark";
}

/** A page in a context of its own, with everything that must not happen. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, and refusals of the policy. */
  readonly problems: readonly string[];
  /** All errors of the console, such as of answers that are not 2xx. */
  readonly errors: readonly string[];
  /** Requests to other hosts. */
  readonly strangers: readonly string[];
}

/** Opens a URL in a fresh context. */
export async function visit(browser: Browser, url: string, view: View = {}): Promise<Visit> {
  const { width = 1280, height = 800, colours = "light" } = view;
  const context = await browser.newContext({ colorScheme: colours, viewport: { width, height } });
  // Ends what hangs; a busy machine may take ten times as long as a quiet one.
  context.setDefaultTimeout(hangMs);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const problems: string[] = [];
  const errors: string[] = [];
  const strangers: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
    if (/Content Security Policy|TrustedHTML|Refused to/.test(message.text())) problems.push(message.text());
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (asked.protocol !== "data:" && asked.host !== new URL(url).host) strangers.push(request.url());
  });
  await page.goto(url);
  return { page, context, problems, errors, strangers, [Symbol.asyncDispose]: () => context.close() };
}

const screenshots = fileURLToPath(new URL("../../.tmp/screenshots/", import.meta.url));

/** Writes what a page shows to `.tmp/screenshots`. */
export async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${screenshots}${name}.png` });
}
