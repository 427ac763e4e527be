import { expect, test } from "vitest";

import { neededPackages } from "./needed-packages.ts";
import { lockKey, type PackageLock } from "./package-lock.ts";
import { exampleComponent, exampleSource, exampleUser } from "./store/examples.cases.ts";
import { createMemoryStore } from "./store/memory.ts";

const lockOf = (version: string): PackageLock => ({
  requests: { it: "node_modules/it" },
  packages: { "node_modules/it": { version } },
});

test("packages of the sources and workflows of all users and of shared components are needed, others are not", async () => {
  const store = createMemoryStore();
  const put = (id: string, version?: string) => ({
    op: "component.put" as const,
    component: exampleComponent(id, version === undefined ? {} : { packageLock: lockOf(version) }),
  });
  const sources = Array.from({ length: 230 }, (_, n) => ({
    op: "source.put" as const,
    source: exampleSource(`dc_${n}`, {
      componentId: n === 0 ? "sc_first" : "sc_many",
      nameSlug: `s-${n}`,
      endpoints: {},
    }),
  }));
  const workflow = exampleSource("p_1", { userId: "u_2", componentId: "sc_flow", nameSlug: "p_1", endpoints: {} });
  await store.commit([
    { op: "user.put", user: exampleUser("u_1") },
    { op: "user.put", user: exampleUser("u_2", { apiKey: "another" }) },
    put("sc_first", "1.0.0"),
    put("sc_many"),
    put("sc_flow", "2.0.0"),
    put("sc_shared", "3.0.0"),
    put("sc_saved", "4.0.0"),
    ...sources,
    { op: "source.put", source: workflow },
  ]);
  const items = [{ file: "a.mjs", componentId: "sc_shared" }, { file: "broken.mjs" }];
  const needed = await neededPackages({ store, registry: { items: () => Promise.resolve(items) } });
  expect([...needed].toSorted()).toEqual(["1.0.0", "2.0.0", "3.0.0"].map((each) => lockKey(lockOf(each))).toSorted());
});
