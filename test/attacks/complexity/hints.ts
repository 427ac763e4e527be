import { didYouMean, limitedHints } from "../../../packages/model/src/did-you-mean.ts";
import type { ComplexInput } from "./complex-input.ts";

const names = (count: number, length: number, seed: number): string[] =>
  Array.from({ length: count }, (_, n) => (n * seed + 7_919).toString(36).padStart(length, "name"));

/** Names that a report compares with others. */
export const hintInputs: readonly ComplexInput[] = [
  {
    id: "hint-many-candidates",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 100_000,
    prepare(size) {
      const candidates = names(size, 60, 31);
      return () => didYouMean("name".repeat(15), candidates);
    },
  },
  {
    id: "hint-many-problems",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 9_000,
    prepare(size) {
      const candidates = names(200, 40, 31);
      const unknown = names(size, 40, 37);
      return () => {
        const hint = limitedHints();
        for (const name of unknown) hint(name, candidates);
      };
    },
  },
];
