import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@x/source"] },
  ssr: { resolve: { conditions: ["@x/source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "examples/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/.tmp/**"],
    globalSetup: ["scripts/build-guest.mjs"],
    // One process, shared modules: no module-level state may exist, and files start in milliseconds.
    isolate: false,
    pool: "forks",
    testTimeout: 10_000,
    hookTimeout: 20_000,
  },
});
