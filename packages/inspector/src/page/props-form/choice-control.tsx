import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

import { messageOf } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { ClearButton } from "./simple-fields.tsx";
import type { ControlTies } from "./field.tsx";
import { type Choice, choiceOf, labelOf, type PropShape, takesMany, textOf } from "./prop-shape.ts";
import { type Choices, type LoadChoices, useChoices } from "./use-choices.ts";

interface ChoiceControlProps {
  readonly prop: PropShape;
  readonly ties: ControlTies;
  readonly held: readonly Choice[] | undefined;
  readonly change: (held: readonly Choice[] | undefined) => void;
  /** Asks the component. */
  readonly load: LoadChoices;
}

const sameValue = (a: Choice, b: Choice): boolean => textOf(a.value) === textOf(b.value);

/** A native list, for choices that the component declares. */
function StaticChoice({ prop, ties, held, change }: ChoiceControlProps): JSX.Element {
  const choices = (prop.options ?? []).map(choiceOf);
  const [current] = held ?? [];
  const at = current ? choices.findIndex((choice) => sameValue(choice, current)) : -1;
  return (
    <select
      {...ties}
      class="input"
      value={at < 0 ? (current ? "other" : "") : String(at)}
      onChange={({ currentTarget: { value } }) => {
        const chosen = choices[Number(value)];
        change(value === "" || !chosen ? undefined : [chosen]);
      }}
    >
      <option value="">{prop.default === undefined ? "Not set" : `default: ${textOf(prop.default)}`}</option>
      {current && at < 0 && <option value="other">{current.label} (not among the choices)</option>}
      {choices.map(({ label }, index) => (
        <option key={index} value={String(index)}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface ListProps {
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly isChosen: (choice: Choice) => boolean;
  readonly choose: (choice: Choice) => void;
}

function ChoiceList({ id, label, choices, active, isChosen, choose }: ListProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: "nearest" }), [active]);
  return (
    <ul ref={list} id={id} class="choice-list" role="listbox" aria-label={label} tabIndex={-1}>
      {choices.map((choice, index) => (
        <li
          key={textOf(choice.value)}
          id={`${id}-${index}`}
          role="option"
          aria-selected={isChosen(choice)}
          data-active={index === active}
          // Before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            choose(choice);
          }}
        >
          <span class="grow cut">{choice.label}</span>
          {textOf(choice.value) !== choice.label && <code class="dim cut">{textOf(choice.value)}</code>}
          {isChosen(choice) && <Icon name="check" />}
        </li>
      ))}
    </ul>
  );
}

/** What belongs to the list: what is wrong, and more of it. */
function ChoiceBox(props: Choices & { readonly children: ComponentChildren }): JSX.Element {
  const { choices, loading, error, more, loadMore, children } = props;
  return (
    <div class="choice-box">
      {children}
      {error !== undefined && <div class="field-problem choice-note">{messageOf(error)}</div>}
      {loading && <div class="dim choice-note">Loading…</div>}
      {!loading && choices.length === 0 && error === undefined && <div class="dim choice-note">No choices</div>}
      {!loading && more && (
        <div class="choice-note" onMouseDown={(event) => event.preventDefault()}>
          <Button look="quiet" icon="down" label="More choices" act={loadMore} />
        </div>
      )}
    </div>
  );
}

/** The choices of a list, each with a button that takes it out. */
const Chosen = ({ held, remove }: { readonly held: readonly Choice[]; readonly remove: (choice: Choice) => void }) => (
  <div class="row wrap">
    {held.map((choice) => (
      <span key={textOf(choice.value)} class="badge">
        {choice.label}
        <ClearButton label={choice.label} act={() => remove(choice)} />
      </span>
    ))}
  </div>
);

/** A field that opens the choices of the component, with a search and further pages. */
function LiveChoice({ prop, ties, held = [], change, load }: ChoiceControlProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [typed, setTyped] = useState("");
  const listId = useId();
  const many = takesMany(prop);
  const found = useChoices(prop, open, typed, load);
  const { choices } = found;
  const isChosen = (choice: Choice): boolean => held.some((each) => sameValue(each, choice));

  function choose(choice: Choice): void {
    if (!many) {
      change([choice]);
      setOpen(false);
      setTyped("");
    } else change(isChosen(choice) ? held.filter((each) => !sameValue(each, choice)) : [...held, choice]);
  }
  function onKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const chosen = choices[active];
    if (step !== 0) {
      event.preventDefault();
      setOpen(true);
      setActive(Math.min(choices.length - 1, Math.max(0, active + step)));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (chosen) choose(chosen);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  }
  const shown = many ? "" : (held[0]?.label ?? "");
  return (
    <div class="choice" onKeyDown={onKey}>
      {many && <Chosen held={held} remove={choose} />}
      <div class="choice-field">
        <input
          {...ties}
          class="input"
          role="combobox"
          aria-expanded={open}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={open && choices[active] ? `${listId}-${active}` : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={shown === "" ? "Choose…" : shown}
          value={open ? typed : shown}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setActive(0);
            setOpen(true);
          }}
        />
        {shown !== "" && <ClearButton label={labelOf(prop)} act={() => change(undefined)} />}
      </div>
      {open && (
        <ChoiceBox {...found}>
          <ChoiceList
            id={listId}
            label={labelOf(prop)}
            choices={choices}
            active={active}
            isChosen={isChosen}
            choose={choose}
          />
        </ChoiceBox>
      )}
    </div>
  );
}

/** One or several choices of a prop. */
export const ChoiceControl = (props: ChoiceControlProps): JSX.Element =>
  props.prop.remoteOptions || takesMany(props.prop) ? <LiveChoice {...props} /> : <StaticChoice {...props} />;
