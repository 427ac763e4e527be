import { propsRules } from "../../../packages/components/src/props/props.ts";
import { readDynamicProps } from "../../../packages/components/src/props/dynamic-props.ts";
import type { Component, ComponentShape, Json, PropShape } from "../../../packages/model/src/model.ts";
import { createDynamicProps, type DynamicPropsParts } from "../../../packages/runtime/src/sources/dynamic-props.ts";
import { withAccounts } from "../../../packages/runtime/src/sources/account-props.ts";
import type { ComplexInput } from "./complex-input.ts";

const shapeOf = (props: readonly PropShape[]): ComponentShape =>
  ({ name: "Feed", version: "1", props }) as unknown as ComponentShape;

/** Checks values of props, and refuses them or not. */
function configuring(props: readonly PropShape[], given: { readonly [prop: string]: Json }): () => unknown {
  const rules = propsRules((verify) => verify);
  return () => {
    try {
      return rules.configure(shapeOf(props), given);
    } catch (error) {
      return error;
    }
  };
}

const list = <T>(count: number, item: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => item(index));
const texts = (count: number, word: string): string[] => list(count, (index) => `${word}${index}`);

type Row = readonly [id: string, size: number, prepare: (size: number) => () => unknown];

const rows: readonly Row[] = [
  [
    "wrong-items",
    6_000,
    (size) => configuring([{ name: "a", type: "string[]", options: texts(size, "o") }], { a: texts(size, "w") }),
  ],
  [
    "wrong-items-of-many-props",
    16_000,
    (size) => {
      const names = texts(16, "p");
      const given = Object.fromEntries(names.map((name) => [name, list(size, () => 1)]));
      return configuring(
        names.map((name) => ({ name, type: "string[]" })),
        given,
      );
    },
  ],
  [
    "right-items",
    6_000,
    (size) =>
      configuring([{ name: "a", type: "string[]", options: texts(size, "o") }], { a: texts(size, "o").toReversed() }),
  ],
  [
    "wrong-objects",
    3_000,
    (size) =>
      configuring([{ name: "a", type: "string[]", options: list(size, (n) => ({ value: { n } })) }], {
        a: list(size, (n) => ({ n: -1 - n })),
      }),
  ],
  [
    "one-wrong-of-many",
    1_000,
    (size) => {
      const props = list(size, (n): PropShape => ({ name: `p${n}`, type: "string" }));
      return configuring(props, { ...Object.fromEntries(props.map(({ name }) => [name, "x"])), p0: 1 });
    },
  ],
  [
    "all-wrong",
    1_000,
    (size) => {
      const props = list(size, (n): PropShape => ({ name: `p${n}`, type: "integer", min: n }));
      return configuring(props, Object.fromEntries(props.map(({ name }) => [name, "x"])));
    },
  ],
  ["unknown", 75_000, (size) => configuring([], Object.fromEntries(list(size, (n) => [`p${n}`, 0])))],
  [
    "accounts-of-no-app",
    75_000,
    (size) => {
      const accounts = Object.fromEntries(list(size, (n) => [`p${n}`, "x"]));
      return () => {
        try {
          return withAccounts(shapeOf([]), {}, accounts);
        } catch (error) {
          return error;
        }
      };
    },
  ],
  [
    "all-missing",
    1_000,
    (size) =>
      configuring(
        list(size, (n): PropShape => ({ name: `p${n}`, type: "integer", min: n })),
        {},
      ),
  ],
  [
    "dynamic-props",
    1_000,
    (size) => {
      const props = Object.fromEntries(list(size, (n) => [`p${n}`, { type: "string", label: `Label ${n}` }]));
      const declared = list(size, (n): PropShape => ({ name: `p${n}`, type: "string", label: `Label ${n}` }));
      const text = JSON.stringify(props);
      return () => readDynamicProps(text, declared);
    },
  ],
  [
    "wrong-dynamic-props",
    1_000,
    (size) => {
      const text = JSON.stringify(
        Object.fromEntries(list(size, (n) => [`p${n}`, { type: `strin${n}`, min: "a", label: 1 }])),
      );
      return () => readDynamicProps(text, []);
    },
  ],
  [
    "unknown-names",
    50_000,
    (size) => {
      const given = Object.fromEntries(texts(size, "value").map((name) => [name, 1]));
      return configuring([{ name: "a", type: "string" }], given);
    },
  ],
  [
    "values-without-a-prop",
    40_000,
    (size) => {
      const component = { shape: { ...shapeOf([]), additionalProps: true } } as unknown as Component;
      const given = Object.fromEntries(list(size, (n) => [`v${n}`, n]));
      const dynamicProps = createDynamicProps({
        props: propsRules((verify) => verify),
      } as unknown as DynamicPropsParts);
      const base = { component, given, known: [], userId: "u_1" };
      return () => dynamicProps.compute(base).catch((error: unknown) => error);
    },
  ],
];

/** Values of props, as a request or a component gives them. */
export const propInputs: readonly ComplexInput[] = rows.map(([id, size, prepare]) => ({
  id: `props-${id}`,
  class: "algorithmic complexity",
  promise: "main-thread-free",
  size,
  prepare,
}));
