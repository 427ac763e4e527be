import { expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { shoot, visit } from "./chromium.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectQuiet, findViolations, openSignedIn } from "./stage.ts";

/** Signing in and out. */
describeInBrowser((get) => {
  test("a link signs in once, and its token leaves the address", async () => {
    const { browser, served } = get();
    const link = served.link();
    await using first = await visit(browser, link);
    await first.page.getByRole("heading", { name: "Sources" }).waitFor();
    expect(first.page.url()).not.toContain("token");
    await first.page.reload();
    await first.page.getByRole("heading", { name: "Sources" }).waitFor();
    expectQuiet(first);
    await using second = await visit(browser, link);
    await second.page.getByText("This link has been used or is too old.").waitFor();
    expect(await second.page.getByLabel("API key").isVisible()).toBe(true);
  });

  test("an API key signs in, a wrong one does not, and signing out ends the session", async () => {
    const { browser, served } = get();
    await using visited = await visit(browser, served.url);
    const { page } = visited;
    await page.getByLabel("API key").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("This is not a valid API key of this service.").waitFor();
    await shoot(page, "sign-in-light");
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel("API key").fill(served.apiKey);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    const session = await page.evaluate<string>("localStorage['x-session']");
    expect(session).not.toContain(served.apiKey);
    const { key } = JSON.parse(session) as { key: string };
    const me = (): Promise<Response> =>
      fetch(`${served.url}/v1/users/me`, { headers: { authorization: `Bearer ${key}` } });
    expect((await me()).status).toBe(200);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await expect.poll(async () => (await me()).status).toBe(401);
    expectQuiet(visited);
  });

  test("a place chosen as soon as one is signed in stays", async () => {
    const { browser, served } = get();
    await using visited = await visit(browser, served.url);
    const { page } = visited;
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.querySelector(".shell")) return;
      observer.disconnect();
      location.hash = "#/webhooks";
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.getByLabel("API key").fill(served.apiKey);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    // The redirect of the first page would come with the next frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    expect(await page.evaluate("location.hash")).toBe("#/webhooks");
    expectQuiet(visited);
  });

  test("a session that has ended leads to the sign-in", async () => {
    const { browser, served } = get();
    await using visited = await visit(browser, served.link());
    const { page } = visited;
    await page.getByRole("heading", { name: "Sources" }).waitFor();
    await page.evaluate(
      `localStorage["x-session"] = JSON.stringify({ ...JSON.parse(localStorage["x-session"]), key: "xs_gone" })`,
    );
    await page.reload();
    await page.getByText("Your session has ended. Sign in again.").waitFor();
    expectQuiet(visited);
  });

  test("another site cannot show the inspector in a frame", async () => {
    const { browser, served } = get();
    await using visited = await visit(browser, served.url);
    const { page } = visited;
    await page.goto(`data:text/html,<iframe src="${served.url}/"></iframe>`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });

  test("a page that a component answers runs its scripts, and cannot use the session", async () => {
    const { served } = get();
    const html = `<title>loading</title><script>
      let found;
      try { found = localStorage["x-session"]; } catch (error) { found = error.name; }
      fetch("/v1/users/me").then(() => "answered", () => "refused").then((result) => { document.title = found + " " + result; });
    </script>`;
    const { source } = await served.runtime.deploy({
      code: component({
        name: "Hostile page",
        props: 'http: { type: "$.interface.http", customResponse: true }',
        run: `this.http.respond({ status: 200, headers: { "content-type": "text/html" }, body: ${JSON.stringify(html)} })`,
      }),
    });
    await using visited = await openSignedIn(get(), "/sources");
    const { page } = visited;
    const own = await visited.context.newPage();
    await own.goto(source.endpoints["http"] ?? "");
    await expect.poll(() => own.title()).toBe("SecurityError refused");
    await page.reload();
    await page.getByRole("heading", { name: "Sources" }).waitFor();
  });
});
