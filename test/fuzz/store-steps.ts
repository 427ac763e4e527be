import { isDeepStrictEqual } from "node:util";

import { array, type Arbitrary, constant, oneof, record } from "fast-check";
import { createMemory, type Memory, XError } from "@x/runtime";

import type { Store } from "../../packages/store/src/contract.ts";
import { changeList } from "./store-changes.ts";
import { type ChangeInput, readChange } from "./store-input.ts";
import { readAll } from "./store-reads.ts";

/** `reopen`: closed and opened again; `crash`: opened again without a close. */
export type StoreStep = { readonly commit: readonly ChangeInput[] } | "reopen" | "crash" | "recover";

/** Commits, with ends of the process in between. */
export const storeSteps: Arbitrary<readonly StoreStep[]> = array(
  oneof<Arbitrary<StoreStep>[]>(
    ...Array.from({ length: 8 }, () => record({ commit: changeList }, { noNullPrototype: true })),
    constant("reopen" as const),
    constant("crash" as const),
    constant("recover" as const),
  ),
  { minLength: 1, maxLength: 14, size: "max" },
);

/** A store that can lose its process. */
export interface Tried {
  store(): Store;
  reopen(): Promise<void>;
  crash(): Promise<void>;
}

/** The model: the store in memory. */
export function createModel(memory: Memory = createMemory()): Tried {
  let store = memory.open();
  return {
    store: () => store,
    async reopen() {
      await store.close();
      store = memory.open();
    },
    async crash() {
      store = memory.open();
    },
  };
}

/** How a commit ends: `done`, or the code of its error. */
export const outcome = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return "done";
  } catch (error) {
    return XError.is(error) ? error.code : String(error);
  }
};

/** The first read in which a store differs from the model; undefined for none. */
export async function differenceOf(model: Store, tried: Store): Promise<string | undefined> {
  const [expected, actual] = await Promise.all([readAll(model), readAll(tried)]);
  for (const [name, value] of expected) {
    if (isDeepStrictEqual(value, actual.get(name))) continue;
    const [found, modelled] = [actual.get(name), value].map((each) => JSON.stringify(each)?.slice(0, 2_000));
    return `${name} is ${found}, in memory ${modelled}`;
  }
  return undefined;
}

async function apply(step: StoreStep, tried: Tried): Promise<string> {
  if (step === "reopen") return outcome(tried.reopen());
  if (step === "crash") return outcome(tried.crash());
  const store = tried.store();
  if (step === "recover") return outcome(Promise.all([store.recoverTriggers(), store.recoverTransitions()]));
  return outcome(store.commit(step.commit.map(readChange)));
}

/** Takes the steps in both, and compares everything after each. */
export async function takeSteps(steps: readonly StoreStep[], model: Tried, tried: Tried): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const [expected, actual] = [await apply(step, model), await apply(step, tried)];
    if (expected !== actual) throw new Error(`step ${index} ends with ${actual}, in memory with ${expected}`);
    const difference = await differenceOf(model.store(), tried.store());
    if (difference !== undefined) throw new Error(`after step ${index} ${difference}`);
  }
}
