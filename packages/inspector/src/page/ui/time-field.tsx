import type { JSX } from "preact";

interface TimeFieldProps {
  readonly label: string;
  /** As the browser writes it, in the reader's zone; empty: none. */
  readonly value: string;
  readonly change: (value: string) => void;
}

/** A date and time to the second. */
export const TimeField = ({ label, value, change }: TimeFieldProps): JSX.Element => (
  <label class="field">
    <span class="field-label">{label}</span>
    <input
      class="input"
      type="datetime-local"
      step="1"
      value={value}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  </label>
);
