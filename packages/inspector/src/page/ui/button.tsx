import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";

import { Icon, type IconName } from "./icon.tsx";

type Look = "plain" | "main-action" | "quiet" | "danger";

export interface ButtonProps {
  readonly look?: Look;
  readonly icon?: IconName;
  /** The text, or what the button is called when it shows only its icon. */
  readonly label: string;
  readonly iconOnly?: boolean;
  readonly disabled?: boolean;
  readonly submit?: boolean;
  /** A promise keeps the button disabled until it ends. */
  readonly act?: () => unknown;
  readonly children?: ComponentChildren;
}

/** A button; it is disabled while what it started goes on. */
export function Button(props: ButtonProps): JSX.Element {
  const { look = "plain", icon, label, iconOnly = false, disabled = false, submit = false, act, children } = props;
  const [busy, setBusy] = useState(false);
  function start(event: Event): void {
    if (!act) return;
    event.stopPropagation();
    const given = act();
    if (!(given instanceof Promise)) return;
    setBusy(true);
    void given.finally(() => setBusy(false));
  }
  return (
    <button
      type={submit ? "submit" : "button"}
      class={`button ${look} ${iconOnly ? "square" : ""}`}
      disabled={disabled || busy}
      aria-label={iconOnly ? label : undefined}
      title={iconOnly ? label : undefined}
      onClick={start}
    >
      {icon && <Icon name={icon} />}
      {!iconOnly && label}
      {children}
    </button>
  );
}

interface CopyProps {
  readonly text: string | (() => string);
  readonly label: string;
  readonly iconOnly?: boolean;
}

const shownMs = 1_500;

/** Copies a text. */
export function CopyButton({ text, label, iconOnly = false }: CopyProps): JSX.Element {
  const [done, setDone] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setDone(true);
    setTimeout(() => setDone(false), shownMs);
  }
  return (
    <Button
      look="quiet"
      icon={done ? "check" : "copy"}
      label={done && !iconOnly ? "Copied" : label}
      iconOnly={iconOnly}
      act={() => void copy().catch(() => undefined)}
    />
  );
}
