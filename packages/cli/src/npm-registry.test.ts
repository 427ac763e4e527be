import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, expect, test, vi } from "vitest";

import { findNpmRegistry } from "./npm-registry.ts";
import { makeFolder } from "./spawned.cases.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["npm/11.6.0 node/v24.15.0 linux x64 workspaces/false", "http://127.0.0.1:2/"],
  ["yarn/4.9.1 npm/? node/v24.15.0 linux x64", "http://127.0.0.1:2/"],
  // It names its own default, which is not what the user has chosen.
  ["yarn/1.22.22 npm/? node/v24.15.0 linux x64", "http://127.0.0.1:1/"],
])("the registry is the one that the user has configured: %s", async (agent, expected) => {
  await using home = await makeFolder();
  writeFileSync(join(home.path, "npmrc"), "registry=http://127.0.0.1:1/\n");
  vi.stubEnv("npm_config_userconfig", join(home.path, "npmrc"));
  vi.stubEnv("npm_config_user_agent", agent);
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:2/");
  expect(await findNpmRegistry()).toBe(expected);
});
