import { expect, test } from "vitest";

import { schemes, services } from "../../packages/inspector/src/page/apps/endpoint-draft.ts";
import { appServices } from "../../packages/runtime/src/app-events/services/table.ts";
import { schemes as knownSchemes } from "../../packages/runtime/src/signatures/schemes.ts";

test("the form of an endpoint offers the services and schemes that there are", () => {
  expect(services).toEqual(appServices.map(({ name }) => name));
  expect(schemes).toEqual(Object.keys(knownSchemes));
});
