import { literal } from "../../../packages/runtime/src/test-file/literal.ts";
import { madeTest } from "../../../packages/runtime/src/test-file/made-test.ts";
import type { TestRun, TestSubject } from "../../../packages/runtime/src/test-file/test-run.ts";
import type { Json } from "../../../packages/model/src/model.ts";
import type { ComplexInput } from "./complex-input.ts";

const kind = { class: "algorithmic complexity", promise: "main-thread-free" } as const;
const startedAt = Date.UTC(2026, 0, 1);
const run: TestRun = {
  id: "3MNioWX0YeWBc2RZvavC7IOrG4q",
  startedAt,
  endedAt: startedAt + 1_000,
  status: "ok",
  event: {},
  emitted: [],
  dropped: [],
  calls: [],
  db: [],
  dataStores: [],
  steps: [],
  omitted: [],
};
const subject: TestSubject = {
  kind: "source",
  name: "Trial",
  props: [],
  configuredProps: {},
  secrets: [],
  notes: [],
  settings: {},
  ids: ["dc_1"],
  endpointKeys: ["k3y0f4n3ndp01nt"],
  dbBefore: {},
  dataStoresBefore: {},
  accounts: {},
  file: "./trial.ts",
};

const many = (size: number, text: (index: number) => string): { [name: string]: string } =>
  Object.fromEntries(Array.from({ length: size }, (_, n) => [`${n}-token`, text(n)]));
const made =
  (event: Json, more: Partial<TestRun> = {}) =>
  (): unknown =>
    madeTest({ ...run, event, ...more }, subject);
/** A value inside of lists. */
function inside(value: Json, depth: number): Json {
  let outer = value;
  for (let level = 0; level < depth; level += 1) outer = [outer];
  return outer;
}
const uuid = (n: number): string => `8d5e7f00-1111-4222-8333-${n.toString(16).padStart(12, "0")}`;

/** Tests that are made of runs whose events come from outside. */
export const madeTestInputs: readonly ComplexInput[] = [
  { id: "made-many-secrets", ...kind, size: 2_000, prepare: (size) => made(many(size, (n) => `value-${n}`)) },
  {
    id: "made-many-words",
    ...kind,
    size: 130_000,
    prepare: (size) => made(Array.from({ length: size }, (_, n) => `w${n}`)),
  },
  {
    id: "made-like-secrets",
    ...kind,
    size: 100_000,
    prepare: (size) => made({ ...many(2, (n) => "a".repeat(1_000) + n), text: "a".repeat(size) }),
  },
  {
    id: "made-deep-secrets",
    ...kind,
    size: 6_000,
    prepare: (size) =>
      made(
        inside(
          Array.from({ length: size }, () => ({ text: "value" })),
          240,
        ),
      ),
  },
  {
    id: "made-deep-texts",
    ...kind,
    size: 10_000,
    prepare: (size) =>
      made(
        inside(
          Array.from({ length: size }, (_, n) => `text ${n}`),
          240,
        ),
      ),
  },
  {
    id: "made-wide-objects",
    ...kind,
    size: 10_000,
    prepare(size) {
      const event = inside(Object.fromEntries(Array.from({ length: size }, (_, n) => [`name ${n}`, n])), 100);
      return () => literal(event);
    },
  },
  {
    id: "made-known-ids",
    ...kind,
    size: 10_000,
    prepare(size) {
      const ids = Array.from({ length: size }, (_, n) => uuid(n));
      return made(ids, { emitted: [{ payload: ids.toReversed(), channel: "" }] });
    },
  },
];
