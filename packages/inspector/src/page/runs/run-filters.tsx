import type { JSX } from "preact";

import { setQuery } from "../app/router.ts";
import { useTypedSearch } from "../app/typed-search.ts";
import { Chips } from "../ui/chips.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { EmitterFilter } from "./emitter-filter.tsx";
import type { RunFilter } from "./run-filter.ts";

const statuses = [
  { value: "", label: "All" },
  { value: "ok", label: "OK" },
  { value: "failed", label: "Failed" },
] as const;

interface Choice {
  readonly value: string;
  readonly label: string;
}

const outcomes: readonly Choice[] = [
  { value: "", label: "Any outcome" },
  { value: "timeout", label: "Timed out" },
  { value: "out_of_memory", label: "Out of memory" },
  { value: "error", label: "Error" },
];
const triggers: readonly Choice[] = [
  { value: "", label: "Any trigger" },
  { value: "timer", label: "Timer" },
  { value: "http", label: "Request" },
  { value: "event", label: "Event" },
  { value: "app", label: "App event" },
  { value: "manual", label: "By hand" },
  { value: "hook", label: "Hook" },
];
const durations: readonly Choice[] = [
  { value: "", label: "Any duration" },
  { value: "100", label: "100 ms or more" },
  { value: "1000", label: "1 s or more" },
  { value: "10000", label: "10 s or more" },
];
const events: readonly Choice[] = [
  { value: "", label: "Any events" },
  { value: "emitted", label: "Emitted" },
  { value: "none", label: "Nothing emitted" },
  { value: "dropped", label: "Dropped" },
];

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly change: (value: string) => void;
}

const Select = ({ label, value, choices, change }: SelectProps): JSX.Element => (
  <select
    class="input small fitting-text"
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => change(currentTarget.value)}
  >
    {choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.label}
      </option>
    ))}
  </select>
);

/** What restricts a list of runs; `ofAll` chooses the source too. */
export function RunFilters({ filter, ofAll }: { readonly filter: RunFilter; readonly ofAll: boolean }): JSX.Element {
  const [text, setText] = useTypedSearch();
  const { status, trigger, min_ms, events: wanted } = filter;
  return (
    <>
      <SearchBox label="Search runs: id, order number, error" value={text} change={setText} />
      <Chips
        label="Status"
        value={statuses.find(({ value }) => value === status)?.value ?? "failed"}
        choices={statuses}
        change={(next) => setQuery({ status: next })}
      />
      {ofAll && <EmitterFilter value={filter.source} change={(source) => setQuery({ source })} />}
      <Select
        label="Outcome"
        value={outcomes.some(({ value }) => value === status) ? status : ""}
        choices={outcomes}
        change={(next) => setQuery({ status: next })}
      />
      <Select label="Trigger" value={trigger} choices={triggers} change={(next) => setQuery({ trigger: next })} />
      <Select label="Duration" value={min_ms} choices={durations} change={(next) => setQuery({ min_ms: next })} />
      <Select label="Events" value={wanted} choices={events} change={(next) => setQuery({ events: next })} />
    </>
  );
}
