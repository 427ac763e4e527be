import { expect, test } from "vitest";

import { defineApp, defineComponent } from "./index.ts";

test("both functions give back the very object they were given", () => {
  const component = { name: "case", version: "0.0.1", run() {} };
  const app = { type: "app", app: "acme" } as const;
  expect(defineComponent(component)).toBe(component);
  expect(defineApp(app)).toBe(app);
});
