import { describe, expect, it } from "vitest";

import { createDispatcher } from "./dispatcher.ts";

const gate = (): PromiseWithResolvers<void> => Promise.withResolvers<void>();

describe("the dispatcher", () => {
  it("G40 runs the jobs of a lane one at a time, in order", async () => {
    const dispatcher = createDispatcher();
    const order: string[] = [];
    const [first, second] = [gate(), gate()];
    const jobs = [
      dispatcher.run("a", async () => {
        order.push("1 begins");
        await first.promise;
        order.push("1 ends");
      }),
      dispatcher.run("a", async () => {
        order.push("2 begins");
        await second.promise;
      }),
      dispatcher.run("a", () => Promise.resolve(order.push("3 begins"))),
    ];
    expect(order).toEqual(["1 begins"]);
    second.resolve();
    first.resolve();
    await Promise.all(jobs);
    expect(order).toEqual(["1 begins", "1 ends", "2 begins", "3 begins"]);
  });

  it("runs first jobs before all waiting jobs, in their order", async () => {
    const dispatcher = createDispatcher();
    const order: string[] = [];
    const held = gate();
    const job = (name: string) => () => Promise.resolve(order.push(name));
    const jobs = [
      dispatcher.run("a", () => held.promise),
      dispatcher.run("a", job("run 1")),
      dispatcher.run("a", job("run 2")),
      dispatcher.run("a", job("change 1"), "first"),
      dispatcher.run("a", job("change 2"), "first"),
    ];
    held.resolve();
    await Promise.all(jobs);
    expect(order).toEqual(["change 1", "change 2", "run 1", "run 2"]);
  });

  it("runs lanes concurrently", async () => {
    const dispatcher = createDispatcher();
    const held = gate();
    const slow = dispatcher.run("a", () => held.promise);
    expect(await dispatcher.run("b", () => Promise.resolve("b"))).toBe("b");
    expect([dispatcher.isBusy("a"), dispatcher.isBusy("b")]).toEqual([true, false]);
    held.resolve();
    await slow;
    await dispatcher.idle();
    expect(dispatcher.isBusy("a")).toBe(false);
  });

  it("continues after a failed job, whose caller gets the error", async () => {
    const dispatcher = createDispatcher();
    const failing = dispatcher.run("a", () => Promise.reject(new Error("no")));
    const next = dispatcher.run("a", () => Promise.resolve("next"));
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("next");
  });

  it("is idle when every lane is empty, also of jobs that jobs added", async () => {
    const dispatcher = createDispatcher();
    await dispatcher.idle();
    const held = gate();
    const order: string[] = [];
    void dispatcher.run("a", async () => {
      await held.promise;
      void dispatcher.run("b", () => Promise.resolve(order.push("b")));
    });
    const idle = [dispatcher.idle(), dispatcher.idle()].map((each) => each.then(() => order.push("idle")));
    await Promise.resolve();
    expect(order).toEqual([]);
    held.resolve();
    await Promise.all(idle);
    expect(order).toEqual(["b", "idle", "idle"]);
  });

  it("lets nothing pass a job that is repeated, and does not wait for it to be idle", async () => {
    const dispatcher = createDispatcher();
    const order: string[] = [];
    let release = (): void => undefined;
    await dispatcher.run("a", async () => {
      void dispatcher.run("a", () => Promise.resolve(order.push("later")));
      void dispatcher.run("a", () => Promise.resolve(order.push("change")), "first");
      release = dispatcher.hold("a", () => Promise.resolve(order.push("again")));
    });
    await dispatcher.idle();
    expect([order, dispatcher.isBusy("a")]).toEqual([[], true]);
    release();
    await dispatcher.idle();
    expect([order, dispatcher.isBusy("a")]).toEqual([["change", "again", "later"], false]);
  });
});
