import type * as Rest from "@x/client";
import { configurableProps, type SavedComponent } from "@x/runtime";

import { configurableProp } from "./options.ts";
import { record, type Schema, seconds, text } from "./shapes.ts";
import { toSeconds } from "./view.ts";
import { emits, packages, viewPackages, viewWarnings, warnings } from "./sources.ts";

/** Schemas of components, by name. */
export const componentSchemas: Readonly<Record<"Component", Schema>> = {
  Component: {
    ...record(
      {
        id: text("Starts with `sc_`."),
        code: text("The code as it was sent."),
        code_hash: { type: "string", pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the code." },
        name: text("From the code."),
        version: text("From the code, in any form."),
        key: { type: ["string", "null"], description: "From the code; null when it has none." },
        description: text("From the code; absent when it has none."),
        configurable_props: {
          type: "array",
          description: "Its props in the order of the code; functions are replaced by flags such as `remoteOptions`.",
          items: configurableProp,
        },
        component_url: { type: ["string", "null"], description: "The origin of the code; null when unknown." },
        emits,
        packages,
        warnings,
        created_at: seconds,
        updated_at: seconds,
      },
      ["description", "emits", "packages", "warnings"],
    ),
    examples: [
      {
        id: "sc_4mPz81KcYd",
        code: 'export default { name: "Press releases", version: "1.0.0", … }',
        code_hash: "9f2c".repeat(16),
        name: "Press releases",
        version: "1.0.0",
        key: "press-releases",
        configurable_props: [
          { name: "feed", type: "string", label: "Feed URL" },
          { name: "timer", type: "$.interface.timer", default: { intervalSeconds: 300 } },
        ],
        component_url: null,
        created_at: 1_795_200_000,
        updated_at: 1_795_200_000,
      },
    ],
  },
};

export function viewComponent(component: SavedComponent): Rest.Component {
  return {
    id: component.id,
    code: component.code,
    code_hash: component.codeHash,
    name: component.shape.name,
    version: component.shape.version,
    key: component.shape.key ?? null,
    ...(component.shape.description !== undefined && { description: component.shape.description }),
    configurable_props: configurableProps(component.shape) as unknown as Rest.Component["configurable_props"],
    component_url: component.componentUrl,
    ...(component.shape.emits && { emits: component.shape.emits }),
    ...viewPackages(component),
    ...viewWarnings(component),
    created_at: toSeconds(component.createdAt),
    updated_at: toSeconds(component.updatedAt),
  };
}
