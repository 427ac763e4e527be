import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { notify } from "../app/notices.ts";
import type { PropValues } from "../props-form/draft.ts";
import { PropsForm } from "../props-form/props-form.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

/** The props of a source, as a form. */
export function SourceProps({ source, component, reload }: SourceTabProps): JSX.Element {
  async function submit(changes: PropValues, dynamicPropsId: string | undefined): Promise<void> {
    if (Object.keys(changes).length === 0) return notify("done", "Nothing has changed");
    const dynamic = dynamicPropsId === undefined ? {} : { dynamic_props_id: dynamicPropsId };
    const body = { configured_props: changes, ...dynamic };
    await request("PATCH", `/sources/${source.id}`, { body });
    notify("done", `${source.name} is updated`);
    reload();
  }
  return (
    <PropsForm
      key={`${source.updated_at} ${JSON.stringify(source.configured_props)}`}
      target={{ source: source.id, component: component.id }}
      props={component.configurable_props}
      values={source.configured_props}
      action="Save and update"
      submit={submit}
    />
  );
}

/** The same as a tab. */
export default function PropsTab(given: SourceTabProps): JSX.Element {
  return (
    <div class="page-body">
      <SourceProps {...given} />
    </div>
  );
}
