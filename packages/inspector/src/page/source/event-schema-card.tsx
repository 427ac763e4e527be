import type { EventSchema } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { Part } from "../runs/part.tsx";
import { plural } from "../text/format.ts";
import { CopyButton } from "../ui/button.tsx";
import { schemaFields } from "./schema-fields.ts";

function originOf({ from, events }: EventSchema): string {
  if (from === "emits") return "The component declares this in emits.";
  if (from === "sampleEmit") return "Inferred from the sampleEmit of the component.";
  return `Inferred from the newest ${plural(events, "event")}.`;
}

/** What the events of a source look like; nothing while nothing is known of them. */
export function EventSchemaCard({ id }: { readonly id: string }): JSX.Element | null {
  const { data } = useResource(`${id} schema`, (signal) =>
    request<DataOf<EventSchema>>("GET", `/sources/${id}/event_schema`, { signal }).then(({ data: found }) => found),
  );
  if (!data || Object.keys(data.schema).length === 0) return null;
  return (
    <Part
      title="Events"
      end={<CopyButton text={JSON.stringify(data.schema, undefined, 2)} label="Copy as JSON Schema" />}
    >
      <div class="stack">
        <span class="dim">{originOf(data)}</span>
        <dl class="facts">
          {schemaFields(data.schema).map(({ path, type, isRequired }) => [
            <dt key={path}>
              <code>{path || "event"}</code>
            </dt>,
            <dd key={`${path} type`}>
              {type} {!isRequired && <span class="dim">optional</span>}
            </dd>,
          ])}
        </dl>
      </div>
    </Part>
  );
}
