import type { JSX } from "preact";
import { useId } from "preact/hooks";

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly about?: string;
  readonly problem?: string;
  readonly required?: boolean;
  /** Hides what is typed. */
  readonly secret?: boolean;
}

/** One line of text with its label, an explanation and what is wrong with it. */
export function TextField(props: TextFieldProps): JSX.Element {
  const { label, value, change, about, problem = "", required = false, secret = false } = props;
  const id = useId();
  const isWrong = problem !== "";
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        {...(secret ? ({ type: "password" } as const) : ({ type: "text" } as const))}
        value={value}
        required={required}
        autocomplete={secret ? "new-password" : "off"}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-problem` : about === undefined ? undefined : `${id}-about`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      {isWrong ? (
        <span class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      ) : (
        about !== undefined && (
          <span class="field-about" id={`${id}-about`}>
            {about}
          </span>
        )
      )}
    </div>
  );
}
