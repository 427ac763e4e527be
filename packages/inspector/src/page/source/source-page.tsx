import type { Component, Source } from "@x/client";
import type { JSX } from "preact";

import { request } from "../api/client.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import type { PageProps } from "../app/page-props.ts";
import { goTo, linkTo } from "../app/router.ts";
import { SourceActions } from "../sources/source-actions.tsx";
import { LazyView } from "../ui/lazy-view.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Badge, Loading, Problem } from "../ui/status.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { EditAndRun } from "./edit-and-run.tsx";
import { sourceTabs } from "./source-tabs.ts";

interface Loaded {
  readonly source: Source;
  readonly component: Component;
}

async function load(id: string, signal: AbortSignal): Promise<Loaded> {
  const options = { query: { expand: "state" }, signal };
  const { data: source } = await request<DataOf<Source>>("GET", `/sources/${encodeURIComponent(id)}`, options);
  const path = `/components/${source.component_id}`;
  const { data: component } = await request<DataOf<Component>>("GET", path, { signal });
  return { source, component };
}

/** One source, in tabs. */
export default function SourcePage({ params }: PageProps): JSX.Element {
  const { id = "", tab: wanted } = params;
  const { data, error, reload } = useResource(id, (signal) => load(id, signal));
  const crumb = { label: "Sources", link: linkTo("/sources") };
  if (!data)
    return (
      <>
        <PageHead title={id} crumb={crumb} />
        {error === undefined ? <Loading /> : <Problem error={error} retry={reload} />}
      </>
    );
  const { source, component } = data;
  const tab = sourceTabs.find((each) => each.id === wanted) ?? sourceTabs[0];
  return (
    <div class="page-fill source-page">
      <PageHead
        title={source.name}
        crumb={crumb}
        actions={
          <>
            <EditAndRun source={source} />
            <SourceActions
              source={source}
              ran={reload}
              changed={reload}
              deleted={() => goTo(linkTo("/sources"), { replace: true })}
            />
          </>
        }
      >
        <Badge tone={source.active ? "ok" : "none"}>{source.active ? "active" : "paused"}</Badge>
      </PageHead>
      <Tabs
        label={`Parts of ${source.name}`}
        tabs={sourceTabs.map((each) => ({
          label: each.label,
          link: linkTo(`/sources/${id}/${each.id}`),
          current: each === tab,
          ...(each.id === "errors" && source.state && { count: source.state.failures_24h }),
        }))}
      />
      <LazyView load={tab.load} given={{ source, component, reload }} />
    </div>
  );
}
