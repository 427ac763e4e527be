import type { JSX } from "preact";

import { place, setQuery } from "../app/router.ts";
import { Live } from "../runs/live.tsx";
import { RunTable } from "../runs/run-table.tsx";
import { readFilter, runFilters } from "../runs/runs-page.tsx";
import { Chips } from "../ui/chips.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

/** The runs of a source, as they end. */
export default function RunsTab({ source }: SourceTabProps): JSX.Element {
  const filter = readFilter(place.value.query.get("status"));
  return (
    <div class="page-fill runs">
      <RunTable
        emitterId={source.id}
        filter={filter}
        nameOf={() => source.name}
        head={(list) => (
          <div class="bar">
            <Chips label="Status" value={filter} choices={runFilters} change={(status) => setQuery({ status })} />
            <span class="grow" />
            <Live state={list.state.value} />
          </div>
        )}
      />
    </div>
  );
}
