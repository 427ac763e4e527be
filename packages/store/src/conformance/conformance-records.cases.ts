import { expect, test } from "vitest";

import type { GetStore } from "./given-store.cases.ts";
import {
  exampleComponent,
  exampleLock,
  exampleSource,
  exampleTexts,
  exampleUser,
  putSource,
  setValue,
} from "./examples.cases.ts";
import { lockKey } from "../../../model/src/package-lock.ts";

const ids = (items: readonly { readonly id: string }[]): string[] => items.map((item) => item.id);

/** The refusal of a cursor that never was in the list (S34). */
const refused = (parameter: string, received: string): object => ({
  code: "invalid_parameter",
  details: { parameter, received },
});

/** Users, components, sources, db, dedupe state, timers, usage. */
export function describeRecords(get: GetStore): void {
  test("a user is found by id, and all users are listed oldest first", async () => {
    const store = get();
    const first = exampleUser("u_b");
    const second = exampleUser("u_a");
    await store.commit([{ op: "user.put", user: first }]);
    await store.commit([{ op: "user.put", user: second }]);
    expect(await store.user("u_b")).toEqual(first);
    expect(await store.users()).toEqual([first, second]);
    expect(await store.user("u_x")).toBeUndefined();
  });

  test("a new API key replaces the old one, and another user's key is refused", async () => {
    const store = get();
    await store.commit([{ op: "user.put", user: exampleUser("u_1", { apiKey: "old" }) }]);
    await store.commit([{ op: "user.put", user: exampleUser("u_1", { apiKey: "new" }) }]);
    expect((await store.user("u_1"))?.apiKey).toBe("new");
    const clash = store.commit([{ op: "user.put", user: exampleUser("u_2", { apiKey: "new" }) }]);
    await expect(clash).rejects.toMatchObject({ code: "store_failed" });
    await store.commit([{ op: "user.put", user: exampleUser("u_2", { apiKey: "old" }) }]);
    expect((await store.users()).map(({ apiKey }) => apiKey)).toEqual(["new", "old"]);
  });

  test("R006 a component is stored byte for byte", async () => {
    const store = get();
    const component = exampleComponent("sc_1");
    const texts = exampleTexts({ code: "/* \u{1F600} \0 \u2028 \uD800 */" });
    await store.commit([{ op: "component.put", component, texts }]);
    expect(await store.component("sc_1")).toEqual(component);
    expect(await store.component("sc_2")).toBeUndefined();
    expect(await store.text(component.texts.code)).toBe(texts.code);
    expect(await store.text(component.texts.bundle)).toBe(texts.bundle);
    expect(await store.text(component.texts.sourceMap)).toBe(texts.sourceMap);
    expect(await store.text("another")).toBeUndefined();
  });

  test("components keep their packages, and similar texts stay different", async () => {
    const store = get();
    const library = Array.from({ length: 2_000 }, (_, n) => `var v${n} = ${n * 7919};`).join("\n");
    const bundles = ["first", "second", "\uDC00"].map((own) => `${library}\nmodule.exports = "${own}";`);
    const components = bundles.map((_, n) =>
      exampleComponent(`sc_${n}`, {
        packageLock: exampleLock("1.0.0"),
        packages: [{ name: "it", version: "1.0.0", integrity: null }],
      }),
    );
    for (const [n, component] of components.entries())
      await store.commit([{ op: "component.put", component, texts: exampleTexts({ bundle: bundles[n] ?? "" }) }]);
    for (const [n, component] of components.entries()) {
      expect(await store.component(component.id)).toEqual(component);
      expect(await store.text(component.texts.bundle)).toBe(bundles[n]);
    }
  });

  test("lock keys are those of deployed and of named components, each once", async () => {
    const store = get();
    const put = (id: string, version?: string) => ({
      op: "component.put" as const,
      component: exampleComponent(id, version === undefined ? {} : { packageLock: exampleLock(version) }),
    });
    await store.commit([
      put("sc_deployed", "1.0.0"),
      put("sc_plain"),
      put("sc_named", "2.0.0"),
      put("sc_same", "2.0.0"),
      put("sc_neither", "3.0.0"),
      { op: "source.put", source: exampleSource("dc_1", { componentId: "sc_deployed", endpoints: {} }) },
      { op: "source.put", source: exampleSource("dc_2", { componentId: "sc_plain", nameSlug: "b", endpoints: {} }) },
    ]);
    const keys = await store.lockKeys(["sc_named", "sc_same", "sc_plain", "sc_gone"]);
    expect([...keys].toSorted()).toEqual(["1.0.0", "2.0.0"].map((each) => lockKey(exampleLock(each))).toSorted());
  });

  test("records of registry files are replaced and deleted file by file", async () => {
    const store = get();
    const put = (registry: string, id: string, record: string) => ({
      op: "registry_file.put" as const,
      registry,
      file: { id, record },
    });
    await store.commit([put("one", "a.mjs", "1"), put("one", "b.mjs", "1"), put("two", "a.mjs", "3")]);
    await store.commit([put("one", "a.mjs", "2"), { op: "registry_file.delete", registry: "one", id: "b.mjs" }]);
    expect(await store.registryFiles("one")).toEqual([{ id: "a.mjs", record: "2" }]);
    expect(await store.registryFiles("two")).toEqual([{ id: "a.mjs", record: "3" }]);
    expect(await store.registryFiles("three")).toEqual([]);
  });

  test("records of projects are replaced and deleted one by one, each of its user", async () => {
    const store = get();
    const resource = { kind: "source", name: "inbox", id: "dc_1", made: true, fingerprint: null } as const;
    const project = (userId: string, name: string, revision = 1) =>
      ({ userId, name, revision, resources: [resource], createdAt: 1, updatedAt: revision }) as const;
    const put = (userId: string, name: string, revision?: number) =>
      ({ op: "project.put", project: project(userId, name, revision) }) as const;
    await store.commit([put("u_1", "shop"), put("u_1", "Bills"), put("u_2", "shop"), put("u_1", "gone")]);
    await store.commit([put("u_1", "shop", 2), { op: "project.delete", userId: "u_1", name: "gone" }]);
    expect(await store.projects("u_1")).toEqual([project("u_1", "Bills"), project("u_1", "shop", 2)]);
    expect(await store.project("u_2", "shop")).toEqual(project("u_2", "shop"));
    expect(await store.project("u_1", "gone")).toBeUndefined();
    expect(await store.projects("u_3")).toEqual([]);
  });

  test("G61 a key finds the newest component of that user, and so does a content hash", async () => {
    const store = get();
    const put = (component: ReturnType<typeof exampleComponent>): Promise<void> =>
      store.commit([{ op: "component.put", component }]);
    await put(exampleComponent("sc_2", { contentHash: "same" }));
    await put(exampleComponent("sc_1", { contentHash: "same" }));
    await put(exampleComponent("sc_3", { userId: "u_2", contentHash: "same" }));
    expect((await store.componentByKey("u_1", "demo-feed"))?.id).toBe("sc_1");
    expect((await store.componentByContent("u_1", "same"))?.id).toBe("sc_1");
    expect((await store.componentByKey("u_2", "demo-feed"))?.id).toBe("sc_3");
    expect(await store.componentByKey("u_1", "other")).toBeUndefined();
    expect(await store.componentByContent("u_2", "other")).toBeUndefined();
  });

  test("a component without a key is found by id only", async () => {
    const store = get();
    const component = exampleComponent("sc_1", { shape: { name: "A", version: "1", props: [], hooks: [] } });
    await store.commit([{ op: "component.put", component }]);
    expect(await store.component("sc_1")).toEqual(component);
    expect(await store.componentByKey("u_1", "undefined")).toBeUndefined();
  });

  test("an endpoint key finds its source until the source drops the key", async () => {
    const store = get();
    await store.commit([putSource(exampleSource("dc_1", { endpoints: { http: "key-a", other: "key-b" } }))]);
    expect((await store.sourceByEndpoint("key-b"))?.id).toBe("dc_1");
    await store.commit([putSource(exampleSource("dc_1", { endpoints: { http: "key-a" } }))]);
    expect((await store.sourceByEndpoint("key-a"))?.id).toBe("dc_1");
    expect(await store.sourceByEndpoint("key-b")).toBeUndefined();
    const clash = store.commit([putSource(exampleSource("dc_2", { endpoints: { http: "key-a" } }))]);
    await expect(clash).rejects.toMatchObject({ code: "store_failed" });
    await store.commit([{ op: "source.delete", id: "dc_1" }]);
    expect(await store.sourceByEndpoint("key-a")).toBeUndefined();
  });

  test("sources are listed newest created first, and a change keeps the position", async () => {
    const store = get();
    for (const id of ["dc_c", "dc_a", "dc_b"]) await store.commit([putSource(exampleSource(id))]);
    await store.commit([putSource(exampleSource("dc_other", { userId: "u_2" }))]);
    await store.commit([putSource(exampleSource("dc_c", { name: "Changed" }))]);
    const page = await store.sources("u_1", { limit: 10 });
    expect(page.totalCount).toBe(3);
    expect(ids(page.items)).toEqual(["dc_b", "dc_a", "dc_c"]);
    expect((await store.source("dc_c"))?.name).toBe("Changed");
    const uncounted = await store.sources("u_1", { limit: 1, total: false });
    expect([uncounted.totalCount, uncounted.items.length]).toEqual([0, 1]);
    expect(await store.sources("u_3", { limit: 10 })).toEqual({ totalCount: 0, items: [] });
  });

  test("sources and workflows are listed together or apart", async () => {
    const store = get();
    for (const id of ["dc_1", "p_1", "dc_2", "p_2"]) await store.commit([putSource(exampleSource(id))]);
    const list = async (only?: "dc" | "p"): Promise<unknown> => {
      const { items, totalCount } = await store.sources("u_1", { limit: 10 }, only);
      return [totalCount, ids(items)];
    };
    expect(await list()).toEqual([4, ["p_2", "dc_2", "p_1", "dc_1"]]);
    expect(await list("dc")).toEqual([2, ["dc_2", "dc_1"]]);
    expect(await list("p")).toEqual([2, ["p_2", "p_1"]]);
  });

  test("R093 cursors of sources limit the page, and total_count counts all", async () => {
    const store = get();
    for (const n of [1, 2, 3, 4, 5]) await store.commit([putSource(exampleSource(`dc_${n}`))]);
    const page = async (query: { limit: number; after?: string; before?: string }): Promise<string[]> => {
      const { items, totalCount } = await store.sources("u_1", query);
      expect(totalCount).toBe(5);
      return ids(items);
    };
    expect(await page({ limit: 2 })).toEqual(["dc_5", "dc_4"]);
    expect(await page({ limit: 2, after: "dc_4" })).toEqual(["dc_3", "dc_2"]);
    expect(await page({ limit: 2, after: "dc_1" })).toEqual([]);
    expect(await page({ limit: 2, before: "dc_1" })).toEqual(["dc_3", "dc_2"]);
    expect(await page({ limit: 10, before: "dc_3" })).toEqual(["dc_5", "dc_4"]);
    expect(await page({ limit: 10, after: "dc_5", before: "dc_2" })).toEqual(["dc_4", "dc_3"]);
  });

  test("a page of sources with a limit in bytes ends at the limit, and has at least one source", async () => {
    const store = get();
    const name = (n: number): string => "x".repeat(n === 3 ? 20_000 : 5_000);
    for (const n of [1, 2, 3, 4]) await store.commit([putSource(exampleSource(`dc_${n}`, { name: name(n) }))]);
    const page = async (query: { bytes: number; after?: string; before?: string }): Promise<string[]> =>
      ids((await store.sources("u_1", { limit: 10, ...query })).items);
    expect(await page({ bytes: 15_000 })).toEqual(["dc_4"]);
    expect(await page({ bytes: 15_000, after: "dc_4" })).toEqual(["dc_3"]);
    expect(await page({ bytes: 15_000, after: "dc_3" })).toEqual(["dc_2", "dc_1"]);
    expect(await page({ bytes: 15_000, before: "dc_2" })).toEqual(["dc_3"]);
    expect(await page({ bytes: 30_000, before: "dc_2" })).toEqual(["dc_4", "dc_3"]);
    expect(await page({ bytes: 1, after: "dc_4", before: "dc_1" })).toEqual(["dc_3"]);
  });

  test("G09 S34 the cursor of a deleted source keeps its position, an unknown cursor is refused", async () => {
    const store = get();
    for (const n of [1, 2, 3]) await store.commit([putSource(exampleSource(`dc_${n}`))]);
    await store.commit([{ op: "source.delete", id: "dc_2" }]);
    expect(ids((await store.sources("u_1", { limit: 10, after: "dc_2" })).items)).toEqual(["dc_1"]);
    await expect(store.sources("u_1", { limit: 10, after: "dc_x" })).rejects.toMatchObject(refused("after", "dc_x"));
    await expect(store.sources("u_1", { limit: 10, before: "dc_x" })).rejects.toMatchObject(refused("before", "dc_x"));
    // Of another list.
    await expect(store.sources("u_1", { limit: 10, after: "dc_2" }, "p")).rejects.toMatchObject(
      refused("after", "dc_2"),
    );
  });

  test("R093 the cursor of another user's source is unknown, also when the source is deleted", async () => {
    const store = get();
    for (const id of ["dc_1", "dc_theirs", "dc_gone", "dc_2"]) {
      const userId = id.length > 4 ? "u_2" : "u_1";
      await store.commit([putSource(exampleSource(id, { userId }))]);
    }
    await store.commit([{ op: "source.delete", id: "dc_gone" }]);
    const page = async (userId: string, query: { after?: string; before?: string }): Promise<string[]> =>
      ids((await store.sources(userId, { limit: 10, ...query })).items);
    for (const cursor of ["dc_theirs", "dc_gone", "dc_none"]) {
      await expect(page("u_1", { after: cursor }), cursor).rejects.toMatchObject(refused("after", cursor));
      await expect(page("u_1", { before: cursor }), cursor).rejects.toMatchObject(refused("before", cursor));
    }
    expect(await page("u_2", { after: "dc_gone" })).toEqual(["dc_theirs"]);
  });

  test("R035 slugs are the slug and its numbered forms, of one user", async () => {
    const store = get();
    const slugs = ["feed", "feed-2", "feed-10", "feed-x", "feeder", "feed-2-3", "fee", "feed-"];
    for (const [n, nameSlug] of slugs.entries())
      await store.commit([putSource(exampleSource(`dc_${n}`, { nameSlug }))]);
    await store.commit([putSource(exampleSource("dc_other", { userId: "u_2", nameSlug: "feed-7" }))]);
    expect((await store.slugs("u_1", "feed")).toSorted()).toEqual(["feed", "feed-10", "feed-2"]);
    expect(await store.slugs("u_1", "none")).toEqual([]);
  });

  test("a source is found by its slug, for its user, and a workflow is not", async () => {
    const store = get();
    await store.commit([
      putSource(exampleSource("dc_1", { nameSlug: "feed" })),
      putSource(exampleSource("dc_2", { userId: "u_2", nameSlug: "feed" })),
      putSource(exampleSource("dc_3", { nameSlug: "feed-1" })),
      putSource(exampleSource("p_4", { nameSlug: "flow" })),
    ]);
    expect((await store.sourceBySlug("u_1", "feed"))?.id).toBe("dc_1");
    expect((await store.sourceBySlug("u_2", "feed"))?.id).toBe("dc_2");
    expect((await store.sourceBySlug("u_1", "feed-1"))?.id).toBe("dc_3");
    expect(await store.sourceBySlug("u_1", "flow")).toBeUndefined();
    expect(await store.sourceBySlug("u_2", "feed-1")).toBeUndefined();
  });

  test("R066 db values are stored per source, replaced and deleted", async () => {
    const store = get();
    await store.commit([setValue("dc_1", "cursor", "1"), setValue("dc_1", "\0 \u{1F600}", '"\0"')]);
    await store.commit([setValue("dc_2", "cursor", "2")]);
    await store.commit([setValue("dc_1", "cursor", "null"), setValue("dc_2", "cursor", undefined)]);
    expect(await store.db("dc_1")).toEqual(
      new Map([
        ["cursor", "null"],
        ["\0 \u{1F600}", '"\0"'],
      ]),
    );
    expect(await store.db("dc_2")).toEqual(new Map());
    expect(await store.db("dc_3")).toEqual(new Map());
    const later = { ...setValue("dc_1", "cursor", "2"), at: 2_000 };
    await store.commit([later]);
    expect(await store.dbTimes("dc_1")).toEqual(
      new Map([
        ["cursor", 2_000],
        ["\0 \u{1F600}", 1_000],
      ]),
    );
    expect(await store.dbTimes("dc_2")).toEqual(new Map());
  });

  test("dedupe state is stored per source and channel until it is reset", async () => {
    const store = get();
    const state = { strategy: "unique", ids: ["b", "a", "\0"] } as const;
    const greatest = { strategy: "greatest", ids: ["9007199254740993"] } as const;
    await store.commit([
      { op: "dedupe.set", sourceId: "dc_1", channel: "", state },
      { op: "dedupe.set", sourceId: "dc_1", channel: "extra", state: greatest },
      { op: "dedupe.set", sourceId: "dc_2", channel: "", state: greatest },
    ]);
    expect((await store.sourceState("dc_1")).dedupe).toEqual({ "": state, extra: greatest });
    await store.commit([{ op: "dedupe.set", sourceId: "dc_1", channel: "", state: greatest }]);
    expect((await store.sourceState("dc_1")).dedupe[""]).toEqual(greatest);
    await store.commit([{ op: "dedupe.reset", sourceId: "dc_1" }]);
    expect(await store.sourceState("dc_1")).toEqual({ dedupe: {}, heads: {} });
    expect((await store.sourceState("dc_2")).dedupe).toEqual({ "": greatest });
  });

  test("a channel may have the name of a member of `Object.prototype`", async () => {
    const store = get();
    const channels = ["__proto__", "constructor", "toString"].map(
      (channel, index) => [channel, { strategy: "last", ids: [String(index)] }] as const,
    );
    await store.commit(
      channels.map(([channel, state]) => ({ op: "dedupe.set", sourceId: "dc_1", channel, state }) as const),
    );
    const { dedupe } = await store.sourceState("dc_1");
    expect(new Map(Object.entries(dedupe))).toEqual(new Map(channels));
  });

  test("the timer of a source is replaced and removed", async () => {
    const store = get();
    await store.commit([
      { op: "timer.set", sourceId: "dc_1", next: { at: 10, lastAt: 5 } },
      { op: "timer.set", sourceId: "dc_2", next: { at: 20.5, lastAt: 0 } },
      { op: "timer.set", sourceId: "dc_1", next: { at: 30, lastAt: 10 } },
    ]);
    expect((await store.timers()).toSorted((a, b) => b.at - a.at)).toEqual([
      { sourceId: "dc_1", at: 30, lastAt: 10 },
      { sourceId: "dc_2", at: 20.5, lastAt: 0 },
    ]);
    await store.commit([{ op: "timer.set", sourceId: "dc_2", next: undefined }]);
    expect(await store.timers()).toHaveLength(1);
  });

  test("R024 usage adds up per user and day", async () => {
    const store = get();
    const add = (userId: string, day: string, invocations: number, computeMs: number): Promise<void> =>
      store.commit([{ op: "usage.add", userId, day, invocations, computeMs }]);
    await add("u_1", "2026-11-20", 1, 2.5);
    await add("u_1", "2026-11-20", 2, 0.5);
    await add("u_1", "2026-11-21", 5, 5);
    await add("u_2", "2026-11-20", 7, 7);
    expect(await store.usage("u_1", "2026-11-20")).toEqual({ invocations: 3, computeMs: 3 });
    expect(await store.usage("u_1", "2026-11-22")).toEqual({ invocations: 0, computeMs: 0 });
  });

  test("R025 usage of several days is their sum, with the first and the last day", async () => {
    const store = get();
    const add = (userId: string, day: string, invocations: number): Promise<void> =>
      store.commit([{ op: "usage.add", userId, day, invocations, computeMs: 0.5 }]);
    const days = ["2026-09-30", "2026-10-01", "2026-10-15", "2026-10-31", "2026-11-01"];
    for (const [index, day] of days.entries()) await add("u_1", day, 10 ** index);
    await add("u_2", "2026-10-15", 7);
    await add("u_1x", "2026-10-15", 7);
    expect(await store.usage("u_1", "2026-10-01", "2026-10-31")).toEqual({ invocations: 1_110, computeMs: 1.5 });
    expect(await store.usage("u_1", "2026-10-31", "2026-10-31")).toEqual({ invocations: 1_000, computeMs: 0.5 });
    expect(await store.usage("u_1", "2026-11-02", "2027-01-01")).toEqual({ invocations: 0, computeMs: 0 });
    expect(await store.usage("u_1", "2026-11-01", "2026-10-01")).toEqual({ invocations: 0, computeMs: 0 });
    expect(await store.usage("u_3", "2026-01-01", "2026-12-31")).toEqual({ invocations: 0, computeMs: 0 });
  });
}
