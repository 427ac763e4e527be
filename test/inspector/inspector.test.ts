import { afterAll, beforeAll, describe } from "vitest";

import { chromiumPath, launchChromium, noChromium } from "./chromium.ts";
import { describeDeploy } from "./deploy.cases.ts";
import { describeManaging } from "./manage.cases.ts";
import { describeOverview } from "./overview.cases.ts";
import { describeRuns } from "./runs.cases.ts";
import { startServed } from "./served.ts";
import { describeSignIn } from "./sign-in.cases.ts";
import { describeManySources } from "./many-sources.cases.ts";
import { describeProps } from "./props.cases.ts";
import { describeSource } from "./source.cases.ts";
import { describeSources } from "./sources.cases.ts";
import { describeWebhooks } from "./webhooks.cases.ts";
import { describeTwoUsers } from "./two-users.cases.ts";
import type { Stage } from "./stage.ts";

if (chromiumPath === undefined) process.stderr.write(`The tests of the inspector are skipped: ${noChromium}\n`);

describe.skipIf(chromiumPath === undefined)("the inspector in Chromium", () => {
  let stage: Stage | undefined;
  const get = (): Stage => {
    if (!stage) throw new Error("The browser is not started.");
    return stage;
  };
  beforeAll(async () => {
    const [browser, served] = await Promise.all([launchChromium(), startServed()]);
    stage = { browser, served };
  });
  afterAll(async () => {
    await stage?.browser.close();
    await stage?.served[Symbol.asyncDispose]();
  });

  describe("sign-in", () => {
    describeSignIn(get);
  });
  describe("sources", () => {
    describeSources(get);
  });
  describe("many sources", () => {
    describeManySources(get);
  });
  describe("a source", () => {
    describeSource(get);
  });
  describe("props", () => {
    describeProps(get);
  });
  describe("runs", () => {
    describeRuns(get);
  });
  describe("overview", () => {
    describeOverview(get);
  });
  describe("deploy", () => {
    describeDeploy(get);
  });
  describe("two users", () => {
    describeTwoUsers(get);
  });
  describe("webhooks", () => {
    describeWebhooks(get);
  });
  describe("managing", () => {
    describeManaging(get);
  });
});
