import type * as Rest from "@x/client";
import type { Project } from "@x/runtime";

import { record, type Schema, schemaRef, seconds } from "./shapes.ts";
import { viewBy } from "./view.ts";

/** Schemas of projects, by name. */
export const projectSchemas: Readonly<Record<"ProjectResource" | "Project", Schema>> = {
  ProjectResource: record({
    kind: { enum: ["account", "endpoint", "webhook", "source", "subscription"], description: "What it is." },
    name: { type: "string", maxLength: 512, description: "Its name in the project." },
    id: { type: ["string", "null"], description: "Null: it is about to be made." },
    made: { type: "boolean", description: "False: it was there before, so the project never removes it." },
    fingerprint: {
      type: ["string", "null"],
      description: "Tells whether a secret is still the one that the project set; null without one.",
    },
  }),
  Project: {
    ...record({
      name: { type: "string", description: "Unique in the account." },
      revision: { type: "integer", description: "Counts changes, from 1." },
      resources: { type: "array", items: schemaRef("ProjectResource") },
      created_at: seconds,
      updated_at: seconds,
    }),
    examples: [
      {
        name: "shop",
        revision: 2,
        resources: [{ kind: "source", name: "orders", id: "dc_h7Tq2Wn4Zx", made: true, fingerprint: null }],
        created_at: 1_795_200_060,
        updated_at: 1_795_200_061,
      },
    ],
  },
};

export const viewProject: (project: Project) => Rest.Project = viewBy<Rest.Project>(projectSchemas.Project);
