import { describe } from "vitest";

import { describeApps } from "./apps.cases.ts";
import { describeClicks } from "./clicks.cases.ts";
import { describeConsole } from "./console.cases.ts";
import { describeDeploy } from "./deploy.cases.ts";
import { describeEvents } from "./events.cases.ts";
import { describeFlow } from "./flow.cases.ts";
import { describeLogs } from "./logs.cases.ts";
import { describeManaging } from "./manage.cases.ts";
import { describeOverview } from "./overview.cases.ts";
import { describeRuns } from "./runs.cases.ts";
import { describeSignIn } from "./sign-in.cases.ts";
import { describeManySources } from "./many-sources.cases.ts";
import { describePageClicks } from "./page-clicks.cases.ts";
import { describeProps } from "./props.cases.ts";
import { describeSource } from "./source.cases.ts";
import { describeSources } from "./sources.cases.ts";
import { describeWebhooks } from "./webhooks.cases.ts";
import { describeTwoUsers } from "./two-users.cases.ts";
import { describeInBrowser } from "./in-browser.ts";

// The way that most people take is in inspector.test.ts.
describeInBrowser((get) => {
  describe("sign-in", () => {
    describeSignIn(get);
  });
  describe("sources", () => {
    describeSources(get);
  });
  describe("clicks", () => {
    describeClicks(get);
    describePageClicks(get);
  });
  describe("many sources", () => {
    describeManySources(get);
  });
  describe("a source", () => {
    describeSource(get);
  });
  describe("events", () => {
    describeEvents(get);
  });
  describe("props", () => {
    describeProps(get);
  });
  describe("runs", () => {
    describeRuns(get);
  });
  describe("logs", () => {
    describeLogs(get);
  });
  describe("flow", () => {
    describeFlow(get);
  });
  describe("overview", () => {
    describeOverview(get);
  });
  describe("deploy", () => {
    describeDeploy(get);
  });
  describe("the console", () => {
    describeConsole(get);
  });
  describe("two users", () => {
    describeTwoUsers(get);
  });
  describe("webhooks", () => {
    describeWebhooks(get);
  });
  describe("apps", () => {
    describeApps(get);
  });
  describe("managing", () => {
    describeManaging(get);
  });
});
