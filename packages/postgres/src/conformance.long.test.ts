import { afterAll, describe } from "vitest";

import { storeConformance } from "../../store/src/conformance/conformance.cases.ts";
import { openPostgres } from "./postgres.ts";
import { dropSchema, emptySchema, missingServer, newSchema, serverUrl } from "./server.cases.ts";

const reason = await missingServer();
const schema = newSchema();

describe.skipIf(reason !== undefined)("in PostgreSQL", () => {
  afterAll(() => dropSchema(schema));
  storeConformance("PostgreSQL", async () => {
    const store = await openPostgres({ url: serverUrl, schema });
    const dispose = async (): Promise<void> => {
      await store.close();
      await emptySchema(schema);
    };
    return { store, dispose };
  });
});
