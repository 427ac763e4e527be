import type { Page } from "playwright-core";

import type { Visit } from "./chromium.ts";
import { type GetStage, openSignedIn } from "./stage.ts";

/** Begins at the list of sources, and counts the clicks from there; that of the button that Enter in a form presses is none. */
export async function fromSources(get: GetStage): Promise<Visit> {
  const visited = await openSignedIn(get(), "/sources");
  await visited.page.getByRole("table", { name: "Sources" }).waitFor();
  await visited.page.evaluate(
    "globalThis.clicks = 0; addEventListener('click', ({ isTrusted, detail }) => void (globalThis.clicks += isTrusted && detail > 0 ? 1 : 0), true)",
  );
  return visited;
}

export const clicksIn = (page: Page): Promise<number> => page.evaluate<number>("globalThis.clicks");
