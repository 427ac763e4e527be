import { beforeAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

const attack = `<img src=x onerror="alert(1)">`;

/** The list of sources. */
describeInBrowser((get) => {
  beforeAll(async () => {
    const { runtime } = get().served;
    const timer = 'timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } }';
    const { source } = await runtime.deploy({
      code: component({ name: "Parcels", props: timer, run: "this.$emit(event)" }),
    });
    for (let count = 0; count < 3; count += 1) await runtime.invoke(source.id);
    const failing = await runtime.deploy({ code: component({ name: "Broken", run: "throw new Error('no')" }) });
    await runtime.invoke(failing.source.id);
    await runtime.deploy({ code: component({ name: "Named" }), name: attack });
    for (let count = 0; count < 12; count += 1)
      await runtime.deploy({ code: component({ name: `Sensor ${count}`, props: timer }) });
  });

  test("the page is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/sources", "sources", (page) => page.getByRole("link", { name: "parcels" }).waitFor()));

  test("sources show their state, and names are text", async () => {
    await using visited = await openSignedIn(get(), "/sources");
    const { page } = visited;
    const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    await row("parcels")
      .getByText(/^in \d+ min$/)
      .waitFor();
    await row("parcels").getByRole("img", { name: "3 events, 0 errors in 24 hours" }).waitFor();
    expect(await row("broken").getByRole("cell").nth(3).textContent()).toBe("1");
    await row(attack).waitFor();
    expectQuiet(visited);
  });

  test("a search and a choice of kinds restrict the list, and stay in the address", async () => {
    await using visited = await openSignedIn(get(), "/sources");
    const { page } = visited;
    await page.getByRole("link", { name: "parcels" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("sensor 1");
    await expect.poll(() => page.getByRole("table").getAttribute("aria-rowcount")).toBe("4");
    expect(page.url()).toContain("q=sensor+1");
    await page.getByRole("link", { name: "Sources", exact: true }).click();
    await expect.poll(() => page.getByLabel("Search sources").inputValue()).toBe("");
    await page.keyboard.press("/");
    await page.keyboard.type("sensor 1");
    await expect.poll(() => page.url()).toContain("q=sensor+1");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toContain("q=");
    await page.getByRole("button", { name: "Failing" }).click();
    await expect.poll(() => page.getByRole("link", { name: "parcels", exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "broken", exact: true }).waitFor();
  });

  test("a search is one request, for what was typed last, and its answer alone is shown", async () => {
    await using visited = await openSignedIn(get(), "/sources");
    const { page } = visited;
    await page.getByRole("link", { name: "parcels" }).waitFor();
    const asked: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith("/users/me/sources") && !url.searchParams.has("ids"))
        asked.push(url.searchParams.get("q") ?? "");
    });
    // The first answer comes after the second one.
    const held = Promise.withResolvers<undefined>();
    await page.route(/sources\?.*q=sensor&/, async (route) => {
      await held.promise;
      await route.continue().catch(() => undefined);
    });
    await page.getByLabel("Search sources").fill("sensor");
    await expect.poll(() => asked).toEqual(["sensor"]);
    await page.getByLabel("Search sources").pressSequentially(" 11");
    await page.getByText("1 found").waitFor();
    expect(asked).toEqual(["sensor", "sensor 11"]);
    held.resolve(undefined);
    await page.evaluate("new Promise(requestAnimationFrame)");
    expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("2");
    expectQuiet(visited);
  });

  test("a source is run, paused, resumed and deleted", async () => {
    const { served } = get();
    const { source } = await served.runtime.deploy({ code: component({ name: "Changed", run: "this.$emit(1)" }) });
    await using visited = await openSignedIn(get(), "/sources?q=changed");
    const { page } = visited;
    await page.getByRole("button", { name: "Run changed" }).click();
    await page.getByText("changed ran: 1 event").waitFor();
    await page.getByRole("img", { name: "1 event, 0 errors in 24 hours" }).waitFor();
    await page.getByRole("button", { name: "Pause changed" }).click();
    await page.getByText("changed is paused").waitFor();
    expect((await served.runtime.source(source.id)).source.active).toBe(false);
    await page.getByRole("button", { name: "Resume changed" }).click();
    await page.getByText("changed is active").waitFor();
    await page.getByRole("button", { name: "Delete changed" }).click();
    // The dialog stands in a cell whose content is at its end.
    expect(await page.evaluate("getComputedStyle(document.querySelector('dialog')).textAlign")).toBe("left");
    expect(await page.getByRole("dialog").getByRole("button").allTextContents()).toEqual(["Cancel", "Delete"]);
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No source matches").waitFor();
    await expect(served.runtime.source(source.id)).rejects.toMatchObject({ code: "not_found" });
    expectQuiet(visited);
  });

  test("a source that is deleted while the list is read stays away", async () => {
    const { runtime } = get().served;
    await runtime.deploy({ code: component({ name: "Fleeting", run: "this.$emit(1)" }) });
    await using visited = await openSignedIn(get(), "/sources?q=fleeting");
    const { page } = visited;
    await page.getByRole("link", { name: "fleeting" }).waitFor();
    const read = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    await page.route(/sources\?.*status=active/, async (route) => {
      const response = await route.fetch();
      read.resolve(undefined);
      await held.promise;
      await route.fulfill({ response });
    });
    await page.getByRole("button", { name: "Active", exact: true }).click();
    await read.promise;
    await page.getByRole("button", { name: "Delete fleeting" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Loading…").waitFor();
    held.resolve(undefined);
    await page.getByText("No source matches").waitFor();
    await page.getByText("0 found").waitFor();
    expectQuiet(visited);
  });

  test("keys move through the list, open a row and explain themselves", async () => {
    await using visited = await openSignedIn(get(), "/sources?q=parcels");
    const { page } = visited;
    await page.getByRole("link", { name: "parcels" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Next row").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toMatch(/#\/sources\/dc_\w+$/);
  });
});
