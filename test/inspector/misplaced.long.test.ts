import { expect, test } from "vitest";

import { component } from "../conformance/fixture.ts";
import { describeInBrowser } from "./in-browser.ts";
import { findMisplaced } from "./misplaced.ts";
import { openSignedIn } from "./stage.ts";

describeInBrowser((get) => {
  test("a field that leaves its card is found, and so are a button below another one and a text that is cut off", async () => {
    const code = component({ name: "Placed", props: 'http: "$.interface.http"' });
    const { source } = await get().served.runtime.deploy({ code, name: "placed" });
    await using visited = await openSignedIn(get(), `/sources/${source.id}`);
    const { page } = visited;
    await page.getByRole("region", { name: "Endpoint" }).getByRole("button", { name: "Send event" }).waitFor();
    expect(await findMisplaced(page)).toEqual([]);
    const give = (selector: string, style: string): Promise<void> =>
      page.evaluate(`document.querySelectorAll("${selector}").forEach((each) => (each.style.cssText = "${style}"))`);
    /** What is found while elements have a style. */
    const foundWith = async (selector: string, style: string): Promise<string> => {
      await give(selector, style);
      const found = await findMisplaced(page);
      await give(selector, "");
      return found.join("\n");
    };
    expect(await foundWith(".request-fields > .row > .input", "flex: none; width: 100%")).toContain(
      '"Path and query" is below',
    );
    expect(await foundWith(".request-fields > .row > .input", "margin-left: 1000px")).toContain(
      "is cut off by div.page-body",
    );
    expect(await foundWith(".code-line + .row", "margin-top: -40px")).toContain("is below");
    expect(await foundWith(".code-line", "overflow: hidden; width: 80px; white-space: nowrap")).toContain(
      "is cut off by div.code-line",
    );
    expect(await findMisplaced(page)).toEqual([]);
  });
});
