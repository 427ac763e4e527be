import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { notify } from "../app/notices.ts";
import { goTo, linkTo, place, setQuery } from "../app/router.ts";
import type { PropValues } from "../props-form/draft.ts";
import { PropsForm } from "../props-form/props-form.tsx";
import { Part } from "../runs/part.tsx";
import { Button } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Badge } from "../ui/status.tsx";
import { TextField } from "../ui/text-field.tsx";
import { FromCode, FromRegistry, FromUrl } from "./component-choice.tsx";
import type { DeployedComponent } from "./deployed-component.ts";

const ways = [
  { value: "", label: "From the registry" },
  { value: "url", label: "By URL" },
  { value: "code", label: "By code" },
] as const;

const views = { "": FromRegistry, url: FromUrl, code: FromCode } as const;

const about = "Optional; events are posted there from the deploy hook on";

interface ConfigureProps {
  readonly component: DeployedComponent;
  readonly back: () => void;
}

/** Name, props and webhook of the new source. */
function Configure({ component, back }: ConfigureProps): JSX.Element {
  const [name, setName] = useState("");
  const [webhook, setWebhook] = useState("");
  async function deploy(values: PropValues, dynamicPropsId: string | undefined): Promise<void> {
    const body = {
      component_id: component.id,
      configured_props: values,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(webhook.trim() === "" ? {} : { webhook_url: webhook.trim() }),
      ...(dynamicPropsId === undefined ? {} : { dynamic_props_id: dynamicPropsId }),
    };
    const { data } = await request<DataOf<{ id: string; name: string }>>("POST", "/sources", { body });
    notify("done", `${data.name} is deployed`);
    goTo(linkTo(`/sources/${data.id}`));
  }
  return (
    <>
      <Part title={component.name} end={<Button look="quiet" icon="close" label="Another component" act={back} />}>
        <div class="row wrap">
          <Badge>{component.version}</Badge>
          {component.key !== null && <code class="dim">{component.key}</code>}
          {component.description && <span class="dim">{component.description}</span>}
        </div>
        {component.warnings?.map(({ path, message }) => (
          <p key={path} class="warning">
            <code>{path}</code> {message}
          </p>
        ))}
      </Part>
      <PropsForm
        key={component.id}
        target={{ component: component.id }}
        props={component.configurable_props}
        values={{}}
        action="Deploy"
        submit={deploy}
      >
        <TextField label="Name" value={name} change={setName} about={`Optional; default: ${component.name}`} />
        <TextField label="Webhook URL" value={webhook} change={setWebhook} about={about} />
      </PropsForm>
    </>
  );
}

/** Deploys a source: a component is chosen, then configured. */
export default function DeployPage(): JSX.Element {
  const [component, choose] = useState<DeployedComponent>();
  const way = ways.find(({ value }) => value === place.value.query.get("from"))?.value ?? "";
  const Choice = views[way];
  return (
    <>
      <PageHead title="Deploy" />
      {!component && (
        <div class="bar">
          <Chips label="From" value={way} choices={ways} change={(from) => setQuery({ from })} />
        </div>
      )}
      <div class="page-body deploy-page">
        {component ? <Configure component={component} back={() => choose(undefined)} /> : <Choice choose={choose} />}
      </div>
    </>
  );
}
