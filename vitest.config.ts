import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They start many processes; begun last, one of them would run on alone. */
const long = /\/test\/(?:attacks\/|faults\/|parity\/|[\w-]+\.test)|typing\.test|\/cli\/src\/|embedding|coverage\.test/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  resolve: { conditions: ["@x/source"] },
  ssr: { resolve: { conditions: ["@x/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "examples/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/.tmp/**"],
    globalSetup: [
      "scripts/build-guest.mjs",
      "scripts/build-inspector.mjs",
      "scripts/build-packages.mjs",
      "scripts/expect-no-warnings.mjs",
    ],
    // One process, shared modules: no module-level state may exist, and files start in milliseconds.
    isolate: false,
    pool: "forks",
    // One more than a small machine has cores: many tests wait for processes, threads and the disk.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // Ends what hangs. A busy machine may take ten times as long as a quiet one.
    testTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 600_000,
  },
});
