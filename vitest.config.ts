import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@x/source"] },
  ssr: { resolve: { conditions: ["@x/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "examples/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/.tmp/**"],
    globalSetup: ["scripts/build-guest.mjs", "scripts/build-packages.mjs"],
    // One process, shared modules: no module-level state may exist, and files start in milliseconds.
    isolate: false,
    pool: "forks",
    // Many tests wait for processes and threads to start.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
