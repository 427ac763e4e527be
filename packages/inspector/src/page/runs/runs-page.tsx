import type { JSX } from "preact";

import { place } from "../app/router.ts";
import { PageHead } from "../ui/page-head.tsx";
import { useEmitterNames } from "./emitter-names.ts";
import { Live } from "./live.tsx";
import { ReplayFailed } from "./replay-failed.tsx";
import { readRunFilter } from "./run-filter.ts";
import { RunFilters } from "./run-filters.tsx";
import { RunTable } from "./run-table.tsx";

/** The runs of all sources and workflows, as they end. */
export default function RunsPage(): JSX.Element {
  const filter = readRunFilter(place.value.query);
  const nameOf = useEmitterNames();
  return (
    <div class="page-fill runs">
      <RunTable
        filter={filter}
        nameOf={nameOf}
        head={(list) => (
          <>
            <PageHead title="Runs" actions={<ReplayFailed filter={filter} />}>
              <Live state={list.state.value} />
            </PageHead>
            <div class="bar wrap">
              <RunFilters filter={filter} ofAll />
            </div>
          </>
        )}
      />
    </div>
  );
}
