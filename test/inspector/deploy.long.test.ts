import { expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { component } from "../conformance/fixture.ts";
import { startServed } from "./served.ts";
import { describeInBrowser } from "./in-browser.ts";
import { expectAccessible, expectQuiet, openSignedIn } from "./stage.ts";

const code = `export default {
  name: "Pasted <b>component</b>", version: "0.2.0", key: "acme-pasted",
  props: {
    board: { type: "string", label: "Board", async options() { return ["b1", "b2"]; } },
    least: { type: "integer", label: "Least", min: 3, default: 5 },
    token: { type: "string", secret: true, optional: true },
  },
  run() { this.$emit({ board: this.board, least: this.least }); },
};`;

/** Deploys from the registry, by URL and by code. */
describeInBrowser((get) => {
  test("the page is accessible, in both colours and on a small screen", async () => {
    const registry = ["orders", "invoices", "tickets"].map((key) => ({
      code: component({ name: `New ${key}` }).replace("export default {", `export default { key: "acme-new-${key}",`),
    }));
    await using served = await startServed(manualClock(Date.UTC(2026, 0, 1)), { registry });
    const stage = { browser: get().browser, served };
    await expectAccessible(stage, "/deploy", "deploy", (page) =>
      page.getByRole("button", { name: /New tickets/ }).waitFor(),
    );
    await expectAccessible(stage, "/deploy?from=code", "deploy-code", (page) => page.getByRole("textbox").waitFor());
    await using without = await startServed();
    await expectAccessible({ ...stage, served: without }, "/deploy", "deploy-empty", (page) =>
      page.getByText("x serve --registry DIR").waitFor(),
    );
    await using visited = await openSignedIn(stage, "/deploy");
    const { page } = visited;
    await page.getByRole("searchbox", { name: "Search the registry" }).fill("orders");
    await page.getByRole("button", { name: /New orders/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("From the registry");
    await page.getByRole("button", { name: "Deploy", exact: true }).click();
    await page.getByText("From the registry is deployed").waitFor();
    const { items } = await served.runtime.sources({ limit: 10 });
    expect(items.map(({ source }) => source.name)).toEqual(["From the registry"]);
    expectQuiet(visited);
  });

  test("code is pasted, refused with its problem, mended, configured and deployed", async () => {
    const { served } = get();
    await using visited = await openSignedIn(get(), "/deploy?from=code");
    const { page } = visited;
    const write = async (text: string): Promise<void> => {
      await page.locator(".editor:not([hidden])").waitFor();
      await page.getByRole("textbox", { name: "Code of the component" }).click();
      await page.keyboard.press("Control+A");
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await page.keyboard.press("Control+V");
      await page.getByRole("button", { name: "Continue" }).click();
    };
    await write("export default { name: 1 };");
    await page.getByRole("alert").waitFor();
    await write(code);
    await page.getByRole("region", { name: "Pasted <b>component</b>" }).waitFor();
    await page.getByRole("button", { name: "Deploy", exact: true }).click();
    await page.locator("[aria-invalid='true']").first().waitFor();
    await page.getByRole("combobox", { name: /^Board/ }).click();
    await page.getByRole("option", { name: "b2" }).click();
    await page.getByRole("button", { name: "Deploy", exact: true }).click();
    await page.getByText(/ is deployed$/).waitFor();
    const [made] = (await served.runtime.sources({ limit: 1 })).items;
    expect(made?.source.configuredProps).toMatchObject({ board: "b2" });
    expectQuiet(visited);
  });

  test("a file is chosen or dropped, TypeScript too, and refused with its problem", async () => {
    await using visited = await openSignedIn(get(), "/deploy");
    const { page } = visited;
    const input = page.getByLabel("Drop a file, or choose one");
    const alert = page.getByRole("alert");
    const fileOf = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await input.setInputFiles(fileOf("notes.pdf", ""));
    await alert.filter({ hasText: "notes.pdf is no .js or .ts file." }).waitFor();
    await input.setInputFiles(fileOf("broken.js", "export default {"));
    await alert.filter({ hasText: /^broken\.js\n/ }).waitFor();
    await input.setInputFiles(fileOf("chosen.js", component({ name: "Chosen file" })));
    await page.getByRole("region", { name: "Chosen file" }).waitFor();
    await page.getByRole("button", { name: "Another component" }).click();
    await input.waitFor({ state: "attached" });
    const typed = `export default { name: "Dropped file", version: "1", run(this: unknown, event: { n: number }): void {} };`;
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(typed)}], "dropped.ts"));
      for (const type of ["dragover", "drop"])
        document.querySelector("h1").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.getByRole("region", { name: "Dropped file" }).waitFor();
    await page.getByRole("button", { name: "Deploy", exact: true }).click();
    await page.getByText(/ is deployed$/).waitFor();
    expectQuiet(visited);
  });

  test("code at a URL is read from there, and a URL without code is refused", async () => {
    await using visited = await openSignedIn(get(), "/deploy");
    const { page } = visited;
    await page.getByLabel("URL of the code").fill("https://shop.test/missing.js");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("URL of the code").fill("https://code.test/at-a-url.js");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("region", { name: "At a URL" }).waitFor();
    expectQuiet(visited);
  });
});
