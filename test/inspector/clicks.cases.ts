import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { answer, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { component } from "../conformance/fixture.ts";
import type { Visit } from "./chromium.ts";
import { expectQuiet, type GetStage, openSignedIn } from "./stage.ts";

/** Begins at the list of sources, and counts the clicks from there. */
export async function fromSources(get: GetStage): Promise<Visit> {
  const visited = await openSignedIn(get(), "/sources");
  await visited.page.getByRole("table", { name: "Sources" }).waitFor();
  await visited.page.evaluate(
    "globalThis.clicks = 0; addEventListener('click', ({ isTrusted }) => void (globalThis.clicks += isTrusted ? 1 : 0), true)",
  );
  return visited;
}

export const clicksIn = (page: Page): Promise<number> => page.evaluate<number>("globalThis.clicks");

/** How many clicks answers are away from the list of sources. */
export function describeClicks(get: GetStage): void {
  test("all dead letters are sent again with two clicks", async () => {
    const { runtime } = get().served;
    const receiver = await startReceiver();
    receiver.on("/", answer(410));
    const { source } = await runtime.deploy({ code: component({ name: "Dying", run: "this.$emit(1)" }) });
    const { id } = await runtime.createWebhook({ url: receiver.url, name: "Two clicks" });
    await runtime.subscribe({ emitterId: source.id, listenerId: id });
    await runtime.invoke(source.id);
    await runtime.idle();
    await runtime.updateWebhook(id, { active: true });
    receiver.on("/", answer(200));
    await using visited = await fromSources(get);
    const { page } = visited;
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page
      .getByRole("row", { name: /^Two clicks/ })
      .getByRole("button", { name: "Redeliver 1 dead" })
      .click();
    await page.getByText("1 delivery to Two clicks sent again, and all of them were delivered").waitFor();
    expect(await clicksIn(page)).toBe(2);
    expectQuiet(visited);
  });
}
