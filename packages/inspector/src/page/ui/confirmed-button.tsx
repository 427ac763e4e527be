import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { Button, type ButtonProps } from "./button.tsx";
import { Confirm, type ConfirmProps } from "./dialog.tsx";

type ConfirmedProps = Pick<ButtonProps, "look" | "icon" | "label" | "iconOnly"> & Omit<ConfirmProps, "close">;

/** A button for something that cannot be undone: it asks before. */
export function ConfirmedButton({ title, action, act, children, ...button }: ConfirmedProps): JSX.Element {
  const [asking, ask] = useState(false);
  return (
    <>
      <Button {...button} act={() => ask(true)} />
      {asking && (
        <Confirm title={title} action={action} act={act} close={() => ask(false)}>
          {children}
        </Confirm>
      )}
    </>
  );
}
