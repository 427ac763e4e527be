import type { JSX } from "preact";

import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { activeShortcuts } from "./shortcuts.ts";

/** The keys that work on the page that is shown. */
export function KeysDialog({ close }: { readonly close: () => void }): JSX.Element {
  const keys = new Map(activeShortcuts().map(({ key, about }) => [key, about]));
  return (
    <Dialog title="Keys" close={close} end={<Button label="Close" act={close} />}>
      <dl class="keys">
        {[...keys].map(([key, about]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{about}</dd>
          </>
        ))}
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Leave a field or dialog</dd>
      </dl>
    </Dialog>
  );
}
