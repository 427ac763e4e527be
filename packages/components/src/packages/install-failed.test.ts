import { expect, test } from "vitest";

import { defaults } from "../../../model/src/limits.ts";
import { installFailed } from "./install-failed.ts";

test("R070 the error of an installation that takes too long says what its author can do", () => {
  const root = { folder: "vast", name: "vast", spec: "latest", importer: "component.js" };
  const plan = { roots: { vast: root }, refresh: [], complete: false };
  expect(installFailed({ kind: "timeout" }, plan, defaults)).toMatchObject({
    code: "package_unresolved",
    details: { reason: "timeout" },
    message: expect.stringContaining(
      "cannot be resolved: installing took longer than 60000 ms and was stopped; the cache keeps what was fetched, so try again; or install it in the folder of the component with npm, from where it is taken; or import a package with fewer dependencies",
    ),
  });
});
