import { expect, test } from "vitest";

import { neededPackages } from "./needed-packages.ts";
import { lockKey } from "../../../model/src/package-lock.ts";
import { exampleComponent, exampleLock, exampleSource } from "../../../store/src/conformance/examples.cases.ts";
import { createMemoryStore } from "../../../store/src/memory/memory.ts";

test("packages of the sources and workflows of all users and of shared components are needed, others are not", async () => {
  const store = createMemoryStore();
  const put = (id: string, version: string) => ({
    op: "component.put" as const,
    component: exampleComponent(id, { packageLock: exampleLock(version) }),
  });
  const source = (id: string, componentId: string, userId: string) => ({
    op: "source.put" as const,
    source: exampleSource(id, { userId, componentId, nameSlug: id, endpoints: {} }),
  });
  await store.commit([
    put("sc_first", "1.0.0"),
    put("sc_flow", "2.0.0"),
    put("sc_shared", "3.0.0"),
    put("sc_saved", "4.0.0"),
    source("dc_1", "sc_first", "u_1"),
    source("p_1", "sc_flow", "u_2"),
  ]);
  const items = [{ file: "a.mjs", componentId: "sc_shared" }, { file: "broken.mjs" }];
  const needed = await neededPackages({ store, registry: { items: () => Promise.resolve(items) } });
  const keys = ["1.0.0", "2.0.0", "3.0.0"].map((each) => lockKey(exampleLock(each)));
  expect([...needed].toSorted()).toEqual(keys.toSorted());
});
