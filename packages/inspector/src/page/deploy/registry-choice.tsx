import type { AnswerOf } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { pageSize } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { count } from "../text/format.ts";
import { SearchBox } from "../ui/search-box.tsx";
import { Empty, Loading, Problem } from "../ui/status.tsx";
import type { DeployedComponent } from "./deployed-component.ts";
import type { ChoiceProps } from "./saved-component.ts";

type RegistryPage = AnswerOf<"GET /components/registry">;

/** How much of the registry is known, while it is being read. */
function Progress({ known, evaluated, refused, total }: RegistryPage["progress"]): JSX.Element | null {
  if (evaluated + refused >= total) return null;
  return (
    <p class="dim" role="status">
      Being read: {known} of {total} known, {evaluated} evaluated
    </p>
  );
}

/** A service without a registry, and how to give it one. */
const NoRegistry = (): JSX.Element => (
  <Empty title="This service has no registry yet">
    <p>Give it a folder of components, and each of them is offered here:</p>
    <p>
      <code>x serve --registry DIR</code>
    </p>
    <p>Or deploy a single one from a file, a URL or its code.</p>
  </Empty>
);

/** Components of the registry, by their keys. */
export function RegistryChoice({ choose }: ChoiceProps): JSX.Element {
  const [search, setSearch] = useState("");
  const [error, setError] = useState<unknown>();
  const loaded = useResource(`registry ${search}`, (signal) =>
    request<RegistryPage>("GET", "/components/registry", { query: { limit: pageSize, q: search }, signal }),
  );
  const entries = loaded.data?.data ?? [];
  const more = (loaded.data?.page_info.total_count ?? 0) - entries.length;
  async function take(key: string): Promise<void> {
    try {
      const path = `/components/registry/${encodeURIComponent(key)}`;
      choose((await request<DataOf<DeployedComponent>>("GET", path)).data);
    } catch (failure) {
      setError(failure);
    }
  }
  if (loaded.data?.progress.total === 0) return <NoRegistry />;
  return (
    <div class="registry-choice">
      <SearchBox label="Search the registry" value={search} change={setSearch} />
      {loaded.error !== undefined && <Problem error={loaded.error} retry={loaded.reload} />}
      {error !== undefined && <Problem error={error} />}
      {!loaded.data && loaded.loading && <Loading what="Reading the registry" />}
      {loaded.data && <Progress {...loaded.data.progress} />}
      {loaded.data && entries.length === 0 && <Empty title="No component matches" />}
      <ul class="registry">
        {entries.map(({ key, name = key, version = "" }) => (
          <li key={key}>
            <button type="button" onClick={() => void take(key)}>
              <strong class="cut">{name}</strong>
              <span class="mono dim cut">{key}</span>
              <span class="dim number">{version}</span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="dim">and {count(more)} more: search for them</p>}
    </div>
  );
}
