import { afterAll, beforeAll, describe } from "vitest";

import { chromiumPath, launchChromium, noChromium } from "./chromium.ts";
import { startServed } from "./served.ts";
import type { GetStage, Stage } from "./stage.ts";

/** Tests with one browser and one service; without a browser they are skipped, and say so. */
export function describeInBrowser(describeTests: (get: GetStage) => void): void {
  if (chromiumPath === undefined) process.stderr.write(`The tests of the inspector are skipped: ${noChromium}\n`);

  describe.skipIf(chromiumPath === undefined)("the inspector in Chromium", () => {
    let stage: Stage | undefined;
    beforeAll(async () => {
      const [browser, served] = await Promise.all([launchChromium(), startServed()]);
      stage = { browser, served };
    });
    afterAll(async () => {
      await stage?.browser.close();
      await stage?.served[Symbol.asyncDispose]();
    });
    describeTests(() => {
      if (!stage) throw new Error("The browser is not started.");
      return stage;
    });
  });
}
