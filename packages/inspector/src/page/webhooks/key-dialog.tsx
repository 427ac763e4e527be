import type { JSX } from "preact";

import { Button, CopyButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface KeyDialogProps {
  readonly title: string;
  readonly about: string;
  readonly secret: string;
  readonly close: () => void;
}

/** Shows a secret that no later answer shows. */
export const KeyDialog = ({ title, about, secret, close }: KeyDialogProps): JSX.Element => (
  <Dialog title={title} close={close} end={<Button look="main-action" label="Done" act={close} />}>
    <p class="dim">{about}</p>
    <div class="code-line">
      <code>{secret}</code>
      <CopyButton label="Copy the key" iconOnly text={secret} />
    </div>
  </Dialog>
);
