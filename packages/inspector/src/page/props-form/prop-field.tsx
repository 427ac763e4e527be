import type { JSX } from "preact";

import { Button } from "../ui/button.tsx";
import { AccountControl } from "./account-control.tsx";
import { ChoiceControl } from "./choice-control.tsx";
import { differsFromDefault, draftOf, type DraftValue, type TimerDraft } from "./draft.ts";
import { type ControlTies, Field } from "./field.tsx";
import { type Choice, fieldKind, isRequired, labelOf, type PropShape, textOf } from "./prop-shape.ts";
import {
  BooleanControl,
  FixedControl,
  IntegerControl,
  JsonControl,
  ListControl,
  TextControl,
  TimerControl,
} from "./simple-fields.tsx";
import type { LoadChoices } from "./use-choices.ts";

interface PropFieldProps {
  readonly prop: PropShape;
  readonly held: DraftValue;
  /** The value of the source. */
  readonly stored: unknown;
  readonly problem: string | undefined;
  readonly change: (held: DraftValue) => void;
  readonly load: LoadChoices;
}

function Control({
  prop,
  held,
  stored,
  change,
  load,
  ties,
}: PropFieldProps & { readonly ties: ControlTies }): JSX.Element {
  const given = { prop, ties, change };
  const kind = fieldKind(prop);
  if (prop.static !== undefined && kind !== "timer") return <FixedControl prop={prop} />;
  switch (kind) {
    case "timer":
      return <TimerControl {...given} held={held as TimerDraft | undefined} />;
    case "account":
      return <AccountControl {...given} held={held as string | undefined} />;
    case "choice":
      return <ChoiceControl {...given} held={held as readonly Choice[] | undefined} load={load} />;
    case "boolean":
      return <BooleanControl {...given} held={held as boolean | undefined} />;
    case "integer":
      return <IntegerControl {...given} held={held as string | undefined} />;
    case "list":
      return <ListControl {...given} held={held as readonly string[] | undefined} />;
    case "json":
      return <JsonControl {...given} held={held as string | undefined} />;
    default:
      return <TextControl {...given} held={held as string | undefined} stored={stored} />;
  }
}

/** Says which default a stored value hides, as after an update of the component, and takes it. */
const HiddenDefault = ({ prop, change }: Pick<PropFieldProps, "prop" | "change">): JSX.Element => (
  <div class="field-about row wrap">
    <span>
      Stored instead of the default <code>{textOf(prop.default ?? { intervalSeconds: 3_600 })}</code>
    </span>
    <Button look="quiet" label={`Take the default of ${prop.name}`} act={() => change(draftOf(prop, undefined))} />
  </div>
);

/** The field of one prop. Descriptions are shown as they are written, Markdown included. */
export function PropField(props: PropFieldProps): JSX.Element | null {
  const { prop, problem } = props;
  const kind = fieldKind(prop);
  if (kind === "none") return null;
  if (kind === "alert")
    return (
      <div class="prop-alert" role="note">
        {prop.content ?? prop.description}
      </div>
    );
  return (
    <Field
      id={`prop-${prop.name}`}
      label={labelOf(prop)}
      name={prop.name}
      about={prop.description}
      required={isRequired(prop) || kind === "timer"}
      problem={problem}
      group={kind === "timer" || kind === "json" || prop.static !== undefined}
    >
      {(ties) => (
        <>
          <Control {...props} ties={ties} />
          {props.stored !== undefined && differsFromDefault(prop, props.held) && (
            <HiddenDefault prop={prop} change={props.change} />
          )}
        </>
      )}
    </Field>
  );
}
