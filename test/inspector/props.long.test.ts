import { beforeAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

const code = component({
  name: "Boards",
  props: `
    timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } },
    acme: { type: "app", app: "acme", optional: true },
    token: { type: "string", label: "Token", description: "Of <b>your</b> account", secret: true },
    limit: { type: "integer", min: 1, max: 10, optional: true },
    kind: { type: "string", options: ["open", { label: "Done", value: "closed" }], optional: true },
    filter: { type: "object", optional: true },
    tags: { type: "string[]", optional: true },
    board: { type: "string", label: "Board", async options({ page, query }) {
      if (this.token !== "first-secret") throw new Error("not signed in");
      if (query === "boom") throw new Error("The board is <i>gone</i>");
      if (page > 1) return [];
      return Array.from({ length: 3 }, (_, index) => {
        const number = page * 3 + index;
        return { label: (query ?? "") + " Board " + number, value: "b" + number };
      });
    }, useQuery: true, reloadProps: true }`,
  more: `async additionalProps() {
    if (this.token !== "first-secret") throw new Error("not signed in");
    return this.board === "b4" ? { list: { type: "string", label: "List of board 4" } } : {};
  },`,
});

/** The form of a source's props. */
describeInBrowser((get) => {
  let id = "";
  const values = async (): Promise<unknown> => (await get().served.runtime.source(id)).configuredProps;
  beforeAll(async () => {
    const { runtime } = get().served;
    await runtime.createAccount({ app: "acme", name: "Work", auth: { key: "secret-of-acme" } });
    const { source } = await runtime.deploy({ code, name: "boards", props: { token: "first-secret", board: "b0" } });
    id = source.id;
  });

  test("the form is accessible", () =>
    expectAccessible(get(), `/sources/${id}/props`, "source-props", (page) => page.getByLabel("Token").waitFor()));

  test("S56 the form says which default a stored value hides, and takes it", async () => {
    const ticking = (seconds: number, limit: number): string =>
      component({
        name: "Ticking",
        props: `timer: { type: "$.interface.timer", default: { intervalSeconds: ${seconds} } },
          limit: { type: "integer", default: ${limit} }`,
      });
    const { runtime } = get().served;
    const { source } = await runtime.deploy({ code: ticking(3_600, 10), props: { limit: 5 } });
    await runtime.update(source.id, { code: ticking(60, 20) });
    await using visited = await openSignedIn(get(), `/sources/${source.id}/props`);
    const { page } = visited;
    await page.getByText('Stored instead of the default {"intervalSeconds":60}').waitFor();
    await page.getByText("Stored instead of the default 20").waitFor();
    await page.getByRole("button", { name: "Take the default of timer" }).click();
    await page.getByRole("button", { name: "Take the default of limit" }).click();
    await page.getByRole("button", { name: "Save and update" }).click();
    await page.getByText("ticking is updated").waitFor();
    expect((await runtime.source(source.id)).configuredProps).toEqual({ timer: { cron: null, interval_seconds: 60 } });
    expect(await page.getByText("Stored instead of").count()).toBe(0);
    await runtime.delete(source.id);
    expectQuiet(visited);
  });

  test("choices are asked from the component, with a search and further pages; its errors are shown", async () => {
    await using visited = await openSignedIn(get(), `/sources/${id}/props`);
    const { page } = visited;
    const board = page.getByRole("combobox", { name: /^Board/ });
    const choices = page.getByRole("listbox", { name: "Board" }).getByRole("option");
    await board.click();
    await choices.nth(2).waitFor();
    await page.getByRole("button", { name: "More choices" }).click();
    await choices.nth(5).waitFor();
    await page.getByRole("button", { name: "More choices" }).click();
    await expect.poll(() => page.getByRole("button", { name: "More choices" }).count()).toBe(0);
    expect(await choices.count()).toBe(6);
    await board.fill("boom");
    await page.getByText("Error: The board is <i>gone</i>").waitFor();
    await board.fill("new");
    await page.getByRole("option", { name: "new Board 1" }).waitFor();
    expectQuiet(visited);
  });

  test("a choice that changes the props adds fields; what is filled in is saved", async () => {
    await using visited = await openSignedIn(get(), `/sources/${id}/props`);
    const { page } = visited;
    const board = page.getByRole("combobox", { name: /^Board/ });
    await board.click();
    await page.getByRole("button", { name: "More choices" }).click();
    await page.getByRole("option", { name: "Board 4" }).click();
    await page.getByLabel("List of board 4").fill("l-1");
    await page.getByRole("textbox", { name: /^limit/ }).fill("7");
    await page.getByRole("combobox", { name: /^kind/ }).selectOption("Done");
    await page.getByRole("combobox", { name: /^acme/ }).selectOption({ index: 1 });
    await page.getByRole("textbox", { name: /^tags/ }).fill("a\nb\n");
    await page.locator(".cm-content").fill('{"a": 1}');
    await page.getByRole("combobox", { name: "timer: kind" }).selectOption("cron");
    await page.getByRole("textbox", { name: "timer: cron expression" }).fill("0 9 * * 1-5");
    await page.getByRole("button", { name: "Save and update" }).click();
    await page.getByText("boards is updated").waitFor();
    expect(await values()).toMatchObject({
      acme: { authProvisionId: expect.stringMatching(/^apn_/) },
      token: { __secret: true },
      limit: 7,
      kind: { __lv: { label: "Done", value: "closed" } },
      filter: { a: 1 },
      tags: ["a", "b"],
      board: { __lv: { value: "b4" } },
      list: "l-1",
      timer: { cron: "0 9 * * 1-5" },
    });
    expectQuiet(visited);
  });

  test("fields that another choice no longer adds vanish with what was typed, and a typed secret is used", async () => {
    await using visited = await openSignedIn(get(), `/sources/${id}/props`);
    const { page } = visited;
    await page.getByLabel("List of board 4").fill("l-2");
    const board = page.getByRole("combobox", { name: /^Board/ });
    await board.click();
    await page.getByRole("option", { name: "Board 1" }).click();
    await expect.poll(() => page.getByLabel("List of board 4").count()).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.getByLabel("Token").fill("wrong-secret");
    await board.click();
    await page.getByText("Error: not signed in").waitFor();
    expectQuiet(visited);
  });

  test("what is wrong is said at its field, by the form and by the service", async () => {
    await using visited = await openSignedIn(get(), `/sources/${id}/props`);
    const { page } = visited;
    const limit = page.getByRole("textbox", { name: /^limit/ });
    await limit.fill("11");
    await page.getByRole("button", { name: "Save and update" }).click();
    await page.getByText("Must be at most 10").waitFor();
    expect(await limit.getAttribute("aria-invalid")).toBe("true");
    await limit.fill("10");
    await page.getByRole("combobox", { name: "timer: kind" }).selectOption("cron");
    await page.getByRole("textbox", { name: "timer: cron expression" }).fill("not cron");
    await page.getByRole("button", { name: "Save and update" }).click();
    await page.getByText(/cron expression that cannot be used/).waitFor();
    expectQuiet(visited);
  });
});
