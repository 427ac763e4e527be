import { beforeAll, expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

/** What all sources did. */
describeInBrowser((get) => {
  beforeAll(async () => {
    const { runtime } = get().served;
    const { source } = await runtime.deploy({
      code: component({ name: "Seen", run: `if (event.fail) throw new Error("<b>planned</b>"); this.$emit(1)` }),
    });
    for (let count = 0; count < 5; count += 1) await runtime.invoke(source.id);
    await runtime.invoke(source.id, { event: { fail: true } });
  });

  test("the page is accessible, in both colours and on a small screen", () =>
    expectAccessible(get(), "/overview", "overview", async (page) => {
      await page.getByRole("img", { name: /^Runs: / }).waitFor();
      await expect.poll(() => page.locator(".u-wrap").count()).toBe(6);
    }));

  test("figures, plots and the last failures are those of the user", async () => {
    const { runtime } = get().served;
    await using visited = await openSignedIn(get(), "/overview");
    const { page } = visited;
    await page.getByRole("img", { name: /^Failures: / }).waitFor();
    await page.getByRole("button", { name: "15 min" }).click();
    await page.getByRole("link", { name: "Error: <b>planned</b>" }).first().click();
    await page.getByRole("region", { name: "Error" }).getByText("<b>planned</b>").first().waitFor();
    expectQuiet(visited);
    const { apiKey } = await runtime.addUser({ username: "looks-over" });
    await using other = await openSignedIn(get(), "/overview", {}, apiKey);
    await other.page.getByText("No failed runs").waitFor();
    await other.page.getByRole("img", { name: /^Runs: 0\./ }).waitFor();
    expectQuiet(other);
  });
});
