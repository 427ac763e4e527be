import { describe, expect, it } from "vitest";

import { createUserQueues, type UserQueues } from "./user-queue.ts";

/** Calls that are held until they are let go, in the order in which they began. */
function createCalls(queues: UserQueues): {
  begun: string[];
  call(user: string, name: string): Promise<string>;
  end(name: string): void;
} {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    call: (user, name) =>
      queues.run(user, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: (name) => ends.get(name)?.(),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("queues", () => {
  it("runs a few calls of a user at once and the others in order", async () => {
    const { begun, call, end } = createCalls(createUserQueues({ atOnce: 2, waiting: 10 }));
    const calls = ["a", "b", "c", "d"].map((name) => call("u", name));
    await settle();
    expect(begun).toEqual(["a", "b"]);
    end("b");
    await settle();
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c"]) end(name);
    await settle();
    end("d");
    expect(await Promise.all(calls)).toEqual(["a", "b", "c", "d"]);
  });

  it("one user does not wait for another", async () => {
    const { begun, call, end } = createCalls(createUserQueues({ atOnce: 1, waiting: 10 }));
    const calls = [call("u", "mine"), call("u", "waits"), call("v", "yours")];
    await settle();
    expect(begun).toEqual(["mine", "yours"]);
    for (const name of ["mine", "yours"]) end(name);
    await settle();
    end("waits");
    expect(await Promise.all(calls)).toEqual(["mine", "waits", "yours"]);
  });

  it("a failed call passes its turn on", async () => {
    const queues = createUserQueues({ atOnce: 1, waiting: 10 });
    const failed = queues.run("u", () => Promise.reject(new Error("no")));
    const next = queues.run("u", () => Promise.resolve("next"));
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("next");
  });

  it("refuses calls when too many wait", async () => {
    const { call, end } = createCalls(createUserQueues({ atOnce: 1, waiting: 1 }));
    const calls = [call("u", "runs"), call("u", "waits")];
    await expect(call("u", "refused")).rejects.toMatchObject({
      code: "rate_limited",
      details: { retryAfterSeconds: 1 },
    });
    end("runs");
    await settle();
    end("waits");
    expect(await Promise.all(calls)).toEqual(["runs", "waits"]);
  });
});
