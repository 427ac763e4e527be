import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { Button } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
  /** Buttons, the most important one last. */
  readonly end?: ComponentChildren;
}

/** A modal dialog; shown as long as it is rendered. */
export function Dialog({ title, close, children, end }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} aria-labelledby={id} onClose={close} onClick={(event) => event.stopPropagation()}>
      <div class="dialog-body">
        <h1 id={id}>{title}</h1>
        {children}
      </div>
      {end && <div class="dialog-end">{end}</div>}
    </dialog>
  );
}

export interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The verb on the button. */
  readonly action: string;
  readonly close: () => void;
  /** The dialog closes when it is done. */
  readonly act: () => unknown;
}

/** Asks before something that cannot be undone. */
export const Confirm = ({ title, children, action, close, act }: ConfirmProps): JSX.Element => (
  <Dialog
    title={title}
    close={close}
    end={
      <>
        <Button label="Cancel" act={close} />
        <Button look="danger" label={action} act={() => Promise.resolve(act()).then(close, close)} />
      </>
    }
  >
    <p class="dim">{children}</p>
  </Dialog>
);
