import type { JSX } from "preact";

import { place, setQuery } from "../app/router.ts";
import { Chips } from "../ui/chips.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useEmitterNames } from "./emitter-names.ts";
import { Live } from "./live.tsx";
import type { RunFilter } from "./run-list.ts";
import { RunTable } from "./run-table.tsx";

/** The choices of the filter. */
export const runFilters = [
  { value: "", label: "All" },
  { value: "ok", label: "OK" },
  { value: "failed", label: "Failed" },
  { value: "timeout", label: "Timed out" },
  { value: "out_of_memory", label: "Out of memory" },
] as const satisfies readonly { value: RunFilter; label: string }[];

export const readFilter = (text: string | null): RunFilter =>
  runFilters.find(({ value }) => value === text)?.value ?? "";

/** The runs of all sources and workflows, as they end. */
export default function RunsPage(): JSX.Element {
  const filter = readFilter(place.value.query.get("status"));
  const nameOf = useEmitterNames();
  return (
    <div class="page-fill runs">
      <RunTable
        filter={filter}
        nameOf={nameOf}
        head={(list) => (
          <>
            <PageHead title="Runs">
              <Live state={list.state.value} />
            </PageHead>
            <div class="bar">
              <Chips label="Status" value={filter} choices={runFilters} change={(status) => setQuery({ status })} />
            </div>
          </>
        )}
      />
    </div>
  );
}
