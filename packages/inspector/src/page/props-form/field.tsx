import type { ComponentChildren, JSX } from "preact";

/** Attributes that tie a control to the texts around it. */
export interface ControlTies {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: boolean;
  readonly "aria-required"?: boolean;
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  /** The prop's name, when the label is another. */
  readonly name?: string;
  readonly about?: string | undefined;
  readonly required?: boolean;
  readonly problem?: string | undefined;
  /** A group of controls instead of one. */
  readonly group?: boolean;
  readonly children: (ties: ControlTies) => ComponentChildren;
}

/** A control with its label, what it is for, and what is wrong with it. */
export function Field({
  id,
  label,
  name,
  about,
  required = false,
  problem,
  group = false,
  children,
}: FieldProps): JSX.Element {
  const described = [about !== undefined && `${id}-about`, problem !== undefined && `${id}-problem`]
    .filter(Boolean)
    .join(" ");
  const ties: ControlTies = {
    id,
    ...(described !== "" && { "aria-describedby": described }),
    ...(problem !== undefined && { "aria-invalid": true }),
    ...(required && { "aria-required": true }),
  };
  const title = (
    <>
      {label}
      {name !== undefined && name !== label && <code class="dim"> {name}</code>}
      {!required && <span class="dim"> optional</span>}
    </>
  );
  return (
    <div class="field" role={group ? "group" : undefined} aria-labelledby={group ? `${id}-label` : undefined}>
      {group ? (
        <span class="field-label" id={`${id}-label`}>
          {title}
        </span>
      ) : (
        <label class="field-label" for={id} id={`${id}-label`}>
          {title}
        </label>
      )}
      {about !== undefined && (
        <div class="field-about" id={`${id}-about`}>
          {about}
        </div>
      )}
      {children(ties)}
      {problem !== undefined && (
        <div class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </div>
      )}
    </div>
  );
}
