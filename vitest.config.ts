import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** First those that take longest, then those that start processes: begun last, one of them would run on alone. */
const order = [
  /\/test\/(?:attacks|cluster|flood|inspector|made-tests|parity|power|registry|soak|stack-lines)\/|\/test\/faults\/kill|\/data\/move/,
  /\/test\/(?:faults|packed|upgrade)\/|\/test\/[\w-]+\.|\/cli\/src\/|\/postgres\/src\/cluster\/|embedding|coverage\.|\.faults\./,
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = order.findIndex((names) => names.test(moduleId));
      return found < 0 ? order.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: { conditions: ["@x/source"] },
  ssr: { resolve: { conditions: ["@x/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "examples/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/.tmp/**"],
    globalSetup: ["scripts/bundle.mjs", "scripts/expect-no-warnings.mjs"],
    // One process, shared modules: no module-level state may exist, and files start in milliseconds.
    isolate: false,
    pool: "forks",
    // More than a small machine has cores: a third of the time, tests wait for processes, threads and the disk.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    // Ends what hangs. A busy machine may take ten times as long as a quiet one.
    testTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 600_000,
  },
});
