import { expect, it } from "vitest";

import { findEngineKind } from "./engine.ts";

it("prefers the engine of the test, then that of the environment, then the sandbox", () => {
  expect(findEngineKind("quickjs", { X_ENGINE: "node" })).toBe("quickjs");
  expect(findEngineKind(undefined, { X_ENGINE: "node" })).toBe("node");
  expect(findEngineKind(undefined, { X_ENGINE: "" })).toBe("quickjs");
  expect(findEngineKind(undefined, {})).toBe("quickjs");
});

it("names the origin of an unknown engine", () => {
  expect(() => findEngineKind("v8", {})).toThrow(
    'engine must be "quickjs", the sandbox, "threads", the sandbox in a worker thread as in x serve, or "node", for debuggers; got',
  );
  expect(() => findEngineKind(undefined, { X_ENGINE: "Node" })).toThrow("X_ENGINE must be");
});
