import { expect, it } from "vitest";

import { findEngineKind } from "./engine-kind.ts";

it("takes what the test says, then what the environment says, then the sandbox", () => {
  expect(findEngineKind("quickjs", { X_ENGINE: "node" })).toBe("quickjs");
  expect(findEngineKind(undefined, { X_ENGINE: "node" })).toBe("node");
  expect(findEngineKind(undefined, { X_ENGINE: "" })).toBe("quickjs");
  expect(findEngineKind(undefined, {})).toBe("quickjs");
});

it("says who asked for an engine that there is not", () => {
  expect(() => findEngineKind("v8", {})).toThrow(
    'engine must be "quickjs", the sandbox, "threads", the sandbox in a thread as it is served, or "node", for debuggers; got',
  );
  expect(() => findEngineKind(undefined, { X_ENGINE: "Node" })).toThrow("X_ENGINE must be");
});
