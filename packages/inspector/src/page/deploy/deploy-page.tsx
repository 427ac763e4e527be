import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { notify } from "../app/notices.ts";
import { goTo, linkTo, place } from "../app/router.ts";
import type { PropValues } from "../props-form/draft.ts";
import { PropsForm } from "../props-form/props-form.tsx";
import { Part } from "../runs/part.tsx";
import { Button } from "../ui/button.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Badge } from "../ui/status.tsx";
import { TextField } from "../ui/text-field.tsx";
import { CodeChoice } from "./code-choice.tsx";
import type { DeployedComponent } from "./deployed-component.ts";
import { FileChoice } from "./file-choice.tsx";
import { RegistryChoice } from "./registry-choice.tsx";
import type { ChoiceProps } from "./saved-component.ts";
import { UrlChoice } from "./url-choice.tsx";

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
    // Otherwise the source would be called by its slug.
    const called = name.trim() || component.name;
    const body = {
      component_id: component.id,
      configured_props: values,
      ...(called === "" ? {} : { name: called }),
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

/** What there is to deploy: the registry, and beside it a file, a URL or code. */
function Choices({ choose }: ChoiceProps): JSX.Element {
  if (place.value.query.get("from") === "code") return <CodeChoice choose={choose} />;
  return (
    <div class="deploy-choices">
      <Part title="Registry" bare>
        <RegistryChoice choose={choose} />
      </Part>
      <div class="stack">
        <Part title="File">
          <FileChoice choose={choose} />
        </Part>
        <Part title="URL">
          <UrlChoice choose={choose} />
        </Part>
        <Part title="Code">
          <a href={linkTo("/deploy", { from: "code" })}>Write or paste the code</a>
        </Part>
      </div>
    </div>
  );
}

/** Deploys a source: a component is chosen, then configured. */
export default function DeployPage(): JSX.Element {
  const [component, choose] = useState<DeployedComponent>();
  const isCode = place.value.query.get("from") === "code";
  return (
    <>
      <PageHead
        title={isCode ? "Code" : "Deploy"}
        {...(isCode && { crumb: { label: "Deploy", link: linkTo("/deploy") } })}
      />
      <div class={`page-body deploy-page ${component || isCode ? "one" : ""}`}>
        {component ? <Configure component={component} back={() => choose(undefined)} /> : <Choices choose={choose} />}
      </div>
    </>
  );
}
