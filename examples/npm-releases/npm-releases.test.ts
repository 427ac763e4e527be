import { conformance, reply, type RoutedCall, source } from "@x/testing/vitest";
import { expect, test } from "vitest";

import component from "./npm-releases.ts";

const registry = "https://registry.example.test";
const now = "2030-06-01T00:00:00Z";

/** The registry's answer about a package: its versions by day of January 2030, or 304 when the etag matches. */
const about =
  (days: () => Record<string, number>) =>
  ({ headers }: RoutedCall) => {
    const times = Object.entries(days()).map(([version, day]) => [version, new Date(Date.UTC(2030, 0, day))]);
    const etag = `"${times.length}"`;
    if (headers["if-none-match"] === etag) return reply(304, undefined, { etag });
    const versions = Object.fromEntries(times.map(([version]) => [version, {}]));
    const time = {
      created: new Date(0),
      modified: new Date(1),
      ...Object.fromEntries(times),
      "0.0.0-gone": new Date(2),
    };
    return reply(200, { versions, time }, { etag });
  };

test("the first run emits the latest few versions, later runs only new ones, with conditional requests", async () => {
  let one: Record<string, number> = { "1.0.0": 1, "1.1.0": 2, "1.2.0": 3 };
  const releases = source(component, {
    now,
    props: { registry, packages: ["one", "@scope/two", "none"], latest: 2 },
    routes: {
      [`GET ${registry}/one`]: about(() => one),
      [`GET ${registry}/@scope%2Ftwo`]: about(() => ({ "2.0.0": 4 })),
      [`GET ${registry}/none`]: reply(404),
    },
  });
  await releases.deploy();

  await releases.tick("15m");
  expect(releases.emits).toMatchObject([
    { id: "one@1.1.0", ts: Date.UTC(2030, 0, 2), summary: "one@1.1.0" },
    { id: "one@1.2.0", ts: Date.UTC(2030, 0, 3), summary: "one@1.2.0" },
    { id: "@scope/two@2.0.0", ts: Date.UTC(2030, 0, 4), summary: "@scope/two@2.0.0" },
  ]);

  releases.clear();
  await releases.tick("15m");
  expect(releases.calls.map(({ path, status }) => [path, status])).toEqual([
    ["/one", 304],
    ["/@scope%2Ftwo", 304],
    ["/none", 404],
  ]);

  one = { ...one, "1.3.0": 5 };
  await releases.tick("15m");
  expect(releases).toHaveEmitted([{ name: "one", version: "1.3.0" }]);
});

test("an unreachable registry leads to one line in the logs, and the next run continues", async () => {
  const releases = source(component, {
    now,
    props: { registry, packages: ["one"] },
    routes: {
      [`GET ${registry}/one`]: () => {
        throw new Error("connect ECONNREFUSED");
      },
    },
  });
  await releases.deploy();
  await expect(releases.tick("15m")).rejects.toThrow(
    /^Cannot reach the npm registry: Request to https:.*ECONNREFUSED$/,
  );

  releases.route(
    `GET ${registry}/one`,
    about(() => ({ "1.0.0": 1 })),
  );
  await releases.tick("15m");
  expect(releases).toHaveEmittedTimes(1);
});

test("it conforms", () =>
  conformance(component, {
    now,
    props: { registry, packages: ["one"] },
    routes: { [`GET ${registry}/one`]: about(() => ({ "1.0.0": 1, "1.1.0": 2 })) },
  }));
