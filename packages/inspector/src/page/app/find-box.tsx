import type { ExecutionSummary, Source } from "@x/client";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

import { readPage } from "../api/pages.ts";
import { linkToEmitter, linkToRun } from "../runs/run-links.ts";
import { Icon } from "../ui/icon.tsx";
import { attempt, notify } from "./notices.ts";
import { goTo, linkTo } from "./router.ts";
import { useShortcuts } from "./shortcuts.ts";

/** Where a text leads: to the only source, or else the only run that has it, or to the list of those; undefined for none. */
async function findLink(q: string): Promise<string | undefined> {
  const few = { q, limit: 2 };
  const { data: sources } = await readPage<Source>("/users/me/sources", { ...few, include: "id" });
  const [source, otherSource] = sources;
  if (source) return otherSource ? linkTo("/sources", { q }) : linkToEmitter(source.id);
  const { data: runs } = await readPage<ExecutionSummary>("/executions", { ...few, include: "execution_id" });
  const [run, otherRun] = runs;
  if (!run) return undefined;
  return otherRun ? linkTo("/runs", { q }) : linkToRun(run.execution_id);
}

const key = "f";
const label = "Find a source or a run";

/** Finds sources by their names, and runs by any text in them, such as the number of an order. `f` moves the focus to it, Enter opens what is found. */
export function FindBox(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  useShortcuts([{ key, about: label, act: () => input.current?.focus() }]);
  async function find(): Promise<void> {
    const q = input.current?.value.trim() ?? "";
    if (q === "" || busy) return;
    setBusy(true);
    await attempt(async () => {
      const link = await findLink(q);
      if (link === undefined) return notify("failed", `No source or run with “${q}” was found`);
      goTo(link);
      if (input.current) {
        input.current.value = "";
        input.current.blur();
      }
    });
    setBusy(false);
  }
  return (
    <form
      class="search find"
      role="search"
      aria-label="Everywhere"
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        aria-label={label}
        placeholder="Find"
        title="Sources by name, runs by any text in them: Enter opens the only one, or the list"
        autocomplete="off"
        spellcheck={false}
      />
      <kbd aria-hidden="true">{key}</kbd>
    </form>
  );
}
