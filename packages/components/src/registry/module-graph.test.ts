import { expect, test } from "vitest";

import type { Declared } from "../declared/contract.ts";
import { usesOf } from "./module-graph.ts";

const helper = (...imports: string[]): Declared => ({ kind: "helper", imports });

test("a component uses the apps and packages of all files that it imports, through circles and names without an extension", () => {
  const declared = new Map<string, Declared>([
    ["/r/acme/new.mjs", helper("./common/base.mjs", "uuid", "node:fs")],
    ["/r/acme/common/base.mjs", helper("../acme.app", "../../shop/shop.app.mjs", "./base.mjs", "./absent.mjs")],
    ["/r/acme/acme.app.mjs", { kind: "app", app: "acme", imports: ["axios@1.0.0", "./new.mjs"] }],
    ["/r/shop/shop.app.mjs", { kind: "app", app: "shop", imports: ["@scope/it/part"] }],
    ["/r/other.mjs", helper("not-imported")],
  ]);
  const stems = new Map([["/r/acme/acme.app", ["/r/acme/acme.app.mjs"]]]);
  expect(usesOf("/r/acme/new.mjs", declared, { stems })).toEqual({
    apps: ["acme", "shop"],
    packages: ["@scope/it/part", "axios@1.0.0", "uuid"],
  });
});
