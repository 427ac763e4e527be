import { expect, test } from "vitest";

import type { StoredTransition } from "../contract.ts";
import { exampleComponent, exampleSource, exampleTexts, exampleTransition, putSource } from "./examples.cases.ts";
import type { GetStore } from "./given-store.cases.ts";

/** Changes of sources whose hooks have begun. */
export function describeTransitions(get: GetStore): void {
  const put = (transition: StoredTransition): Promise<void> => get().commit([{ op: "transition.put", transition }]);

  test("a transition is stored, replaced and deleted", async () => {
    const store = get();
    const first = exampleTransition("dc_1");
    const other = exampleTransition("dc_2", { kind: "delete", towards: "before", running: false, ahead: [] });
    await put(first);
    await put(other);
    expect(await store.transitions()).toEqual(expect.arrayContaining([first, other]));
    const next = exampleTransition("dc_1", { ahead: first.ahead.slice(1), crashes: 2 });
    await put(next);
    await store.commit([{ op: "transition.delete", sourceId: "dc_2" }]);
    expect(await store.transitions()).toEqual([next]);
  });

  test("a transition stores an unsaved component with its texts, which no list or key finds", async () => {
    const store = get();
    const unsaved = exampleComponent("sc_9");
    const texts = exampleTexts({ code: "/* \0 \uD800 */" });
    const transition = exampleTransition("dc_1", { unsaved });
    await store.commit([{ op: "transition.put", transition, texts }]);
    expect(await store.transitions()).toEqual([transition]);
    expect(await store.text(unsaved.texts.code)).toBe(texts.code);
    expect(await store.text(unsaved.texts.bundle)).toBe(texts.bundle);
    expect(await store.component("sc_9")).toBeUndefined();
    expect(await store.componentByContent("u_1", unsaved.contentHash)).toBeUndefined();
    expect(await store.componentByKey("u_1", "demo-feed")).toBeUndefined();
    // Its last commit saves it, by texts that are there.
    await store.commit([
      { op: "component.put", component: unsaved },
      { op: "transition.delete", sourceId: "dc_1" },
    ]);
    expect(await store.component("sc_9")).toEqual(unsaved);
    expect(await store.text(unsaved.texts.sourceMap)).toBe(texts.sourceMap);
  });

  test("deleting the source deletes its transition", async () => {
    const store = get();
    await store.commit([putSource(exampleSource("dc_1"))]);
    await put(exampleTransition("dc_1"));
    await store.commit([{ op: "source.delete", id: "dc_1" }]);
    expect(await store.transitions()).toEqual([]);
  });

  test("S24 recovery counts a crash for each running transition, once", async () => {
    const store = get();
    await put(exampleTransition("dc_1"));
    await put(exampleTransition("dc_2", { running: false, crashes: 1 }));
    const counts = async (): Promise<unknown> =>
      (await store.recoverTransitions())
        .map(({ source, crashes, running }) => [source.id, crashes, running])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b)));
    const counted = [
      ["dc_1", 1, false],
      ["dc_2", 1, false],
    ];
    expect(await counts()).toEqual(counted);
    expect(await counts()).toEqual(counted);
  });
}
