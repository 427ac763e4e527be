import type { JSX } from "preact";

import { place } from "../app/router.ts";
import { Live } from "../runs/live.tsx";
import { ReplayFailed } from "../runs/replay-failed.tsx";
import { readRunFilter } from "../runs/run-filter.ts";
import { RunFilters } from "../runs/run-filters.tsx";
import { RunTable } from "../runs/run-table.tsx";
import type { SourceTabProps } from "./source-tab-props.ts";

/** The runs of a source, as they end. */
export default function RunsTab({ source }: SourceTabProps): JSX.Element {
  const filter = readRunFilter(place.value.query, source.id);
  return (
    <div class="page-fill runs">
      <RunTable
        filter={filter}
        head={(list) => (
          <div class="bar wrap">
            <RunFilters filter={filter} ofAll={false} />
            <ReplayFailed filter={filter} />
            <Live state={list.state.value} />
          </div>
        )}
      />
    </div>
  );
}
