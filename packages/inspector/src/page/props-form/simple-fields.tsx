import type { JSX } from "preact";

import { Button } from "../ui/button.tsx";
import { CodeEditor } from "../ui/code-editor.tsx";
import type { TimerDraft } from "./draft.ts";
import type { ControlTies } from "./field.tsx";
import { isStoredSecret, labelOf, type PropShape, textOf } from "./prop-shape.ts";

interface ControlProps<T> {
  readonly prop: PropShape;
  readonly ties: ControlTies;
  readonly held: T | undefined;
  readonly change: (held: T | undefined) => void;
}

const defaultText = ({ default: given }: PropShape): string => (given === undefined ? "" : `default: ${textOf(given)}`);

/** A line of text; a stored secret is not shown, and stays unless another one is typed. */
export function TextControl({
  prop,
  ties,
  held,
  change,
  stored,
}: ControlProps<string> & { readonly stored: unknown }): JSX.Element {
  const shared = {
    ...ties,
    class: "input",
    spellcheck: false,
    value: held ?? "",
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement }) =>
      change(value === "" && isStoredSecret(stored) ? undefined : value),
  };
  if (prop.secret !== true) return <input {...shared} type="text" autocomplete="off" placeholder={defaultText(prop)} />;
  const placeholder = isStoredSecret(stored) ? "Stored; type to replace it" : "";
  return <input {...shared} type="password" autocomplete="new-password" placeholder={placeholder} />;
}

/** A whole number. */
export const IntegerControl = ({ prop, ties, held, change }: ControlProps<string>): JSX.Element => (
  <input
    {...ties}
    class="input"
    inputMode="numeric"
    autocomplete="off"
    placeholder={defaultText(prop)}
    value={held ?? ""}
    onInput={({ currentTarget }) => change(currentTarget.value.trim())}
  />
);

/** Yes, no, or nothing. */
export const BooleanControl = ({ prop, ties, held, change }: ControlProps<boolean>): JSX.Element => (
  <select
    {...ties}
    class="input"
    value={held === undefined ? "" : String(held)}
    onChange={({ currentTarget: { value } }) => change(value === "" ? undefined : value === "true")}
  >
    <option value="">{prop.default === undefined ? "Not set" : defaultText(prop)}</option>
    <option value="true">Yes</option>
    <option value="false">No</option>
  </select>
);

/** Several texts, one per line. */
export const ListControl = ({ ties, held = [], change }: ControlProps<readonly string[]>): JSX.Element => (
  <textarea
    {...ties}
    class="input"
    rows={Math.min(8, Math.max(3, held.length + 1))}
    placeholder="One per line"
    spellcheck={false}
    value={held.join("\n")}
    onInput={({ currentTarget }) => change(currentTarget.value.split("\n"))}
  />
);

/** An object, as JSON. */
export const JsonControl = ({ prop, held, change }: ControlProps<string>): JSX.Element => (
  <CodeEditor label={labelOf(prop)} language="json" value={held ?? ""} change={change} />
);

/** A schedule: an interval, or a cron expression. */
export function TimerControl({ prop, ties, held, change }: ControlProps<TimerDraft>): JSX.Element {
  const timer = held ?? { mode: "interval", seconds: "3600", cron: "", timezone: "" };
  const set = (part: Partial<TimerDraft>): void => change({ ...timer, ...part });
  const fixed = prop.static !== undefined;
  return (
    <div class="row wrap">
      <select
        class="input fitting"
        aria-label={`${labelOf(prop)}: kind`}
        disabled={fixed}
        value={timer.mode}
        onChange={({ currentTarget }) => set({ mode: currentTarget.value === "cron" ? "cron" : "interval" })}
      >
        <option value="interval">Every … seconds</option>
        <option value="cron">Cron expression</option>
      </select>
      {timer.mode === "interval" ? (
        <input
          {...ties}
          class="input fitting"
          inputMode="numeric"
          aria-label={`${labelOf(prop)}: seconds`}
          disabled={fixed}
          value={timer.seconds}
          onInput={({ currentTarget }) => set({ seconds: currentTarget.value.trim() })}
        />
      ) : (
        <>
          <input
            {...ties}
            class="input mono fitting"
            aria-label={`${labelOf(prop)}: cron expression`}
            placeholder="0 9 * * 1-5"
            disabled={fixed}
            value={timer.cron}
            onInput={({ currentTarget }) => set({ cron: currentTarget.value })}
          />
          <input
            class="input fitting"
            aria-label={`${labelOf(prop)}: time zone`}
            placeholder="UTC"
            disabled={fixed}
            value={timer.timezone}
            onInput={({ currentTarget }) => set({ timezone: currentTarget.value })}
          />
        </>
      )}
    </div>
  );
}

/** Says that a value is given by the code. */
export const FixedControl = ({ prop }: { readonly prop: PropShape }): JSX.Element => (
  <code class="mono">{textOf(prop.static)}</code>
);

/** A button that empties a field. */
export const ClearButton = ({ label, act }: { readonly label: string; readonly act: () => void }): JSX.Element => (
  <Button look="quiet" icon="close" label={`Clear ${label}`} iconOnly act={act} />
);
