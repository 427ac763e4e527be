import { readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createRoutes } from "../packages/server/src/routes/table.ts";
import { describeRoutes } from "../packages/server/src/openapi/document.ts";
import { type OpenApiDocument, printFiles } from "./client-types/print-files.ts";

const folder = join(import.meta.dirname, "../packages/client/src/rest");
/** Parts that routes use when they are asked. */
const unused = {} as Parameters<typeof createRoutes>[0];
const routes = createRoutes({ ...unused, clock: {} as never, inspector: { sessions: {} as never } });
const files = printFiles(describeRoutes(routes) as unknown as OpenApiDocument);

test.each([...files])("@x/client has the types of the OpenAPI document: %s", async (name, text) => {
  await expect(text).toMatchFileSnapshot(join(folder, name));
});

test("@x/client has no other types", () => {
  expect(readdirSync(folder).toSorted()).toEqual([...files.keys()].toSorted());
});
