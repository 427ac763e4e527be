import type { Schema } from "../route.ts";
import { record } from "./shapes.ts";

const seconds: Schema = { type: "integer", description: "Epoch seconds." };

/** Connected accounts by name. */
export const accountSchemas: Readonly<Record<string, Schema>> = {
  Account: {
    ...record({
      id: { type: "string", description: "Starts with `apn_`: the `authProvisionId` of app props." },
      app: { type: "string", description: "Slug of the app." },
      name: { type: ["string", "null"], description: "Null when none was given." },
      created_at: seconds,
      updated_at: seconds,
    }),
    examples: [
      { id: "apn_4kQm81ZtRb", app: "acme", name: "Work", created_at: 1_795_200_000, updated_at: 1_795_200_000 },
    ],
  },
};
