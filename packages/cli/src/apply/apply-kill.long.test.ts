import { expect, test } from "vitest";

import { spawnX } from "../spawned.cases.ts";
import { type Moment, startKillProxy } from "./kill-proxy.cases.ts";
import { config, setUpShop } from "./shop.cases.ts";

const { folder, origin, flags, write, apply, everything } = setUpShop();

/** A change of everything: three creates, three updates and two removals. */
const [old, next] = [config({}), config({ key: "k2", url: "u2", hook: "/two", bills: false })];

/** Whether the answer to a request arrives, or the next request is not sent, is the same to the service: one of them is tried. */
const moments = (most: number): (readonly [Moment, number])[] => [
  ["before", 1],
  ...Array.from({ length: most }, (_, n): readonly [Moment, number] => ["after", n + 1]),
];

const wantedAfter = {
  old: {
    sources: [
      ["bills", true],
      ["orders", true],
    ],
    subscriptions: ["bills orders $errors", "orders archive "],
  },
  next: {
    sources: [["orders", true]],
    emitted: { orders: { url: "u2", key: "k2" } },
    subscriptions: ["orders archive "],
  },
};

test.each([
  ["what is new", 'export default { project: "shop" };', "old", 8],
  ["changes and removals", old, "next", 6],
] as const)("x apply killed at any request of %s is finished by the next", async (_name, begin, wanted, most) => {
  const text = wanted === "old" ? old : next;
  let requests = 0;
  for (const [moment, at] of moments(most)) {
    await apply(begin);
    await write(text);
    const running: { now: () => void } = { now: () => undefined };
    await using proxy = await startKillProxy(origin(), { at, moment, now: () => running.now() });
    await using killed = spawnX(["apply", ...flags(proxy.url)], { cwd: folder().path });
    running.now = () => killed.child.kill("SIGKILL");
    await killed.exit;
    requests = Math.max(requests, proxy.changes());
    expect(killed.child.signalCode, `${moment} request ${at}:\n${killed.out()}${killed.err()}`).toBe("SIGKILL");
    await apply(text);
    expect(await apply(text), `${moment} request ${at}`).toContain("Nothing to do: ");
    const found = await everything();
    expect(found).toMatchObject(wantedAfter[wanted]);
    expect([found.accounts.length, found.webhooks.length]).toEqual([1, 1]);
  }
  expect(requests).toBe(most);
});
