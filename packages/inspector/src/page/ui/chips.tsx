import type { JSX } from "preact";

interface ChipsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly label: string }[];
  readonly change: (value: T) => void;
}

/** One choice of a few. */
export const Chips = <T extends string>({ label, value, choices, change }: ChipsProps<T>): JSX.Element => (
  <div class="chips" role="group" aria-label={label}>
    {choices.map((choice) => (
      <button
        key={choice.value}
        type="button"
        class="chip"
        aria-pressed={choice.value === value}
        onClick={() => change(choice.value)}
      >
        {choice.label}
      </button>
    ))}
  </div>
);
