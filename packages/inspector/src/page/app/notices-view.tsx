import type { JSX } from "preact";

import { Button } from "../ui/button.tsx";
import { dismiss, notices } from "./notices.ts";

/** The messages at the lower edge. */
export const Notices = (): JSX.Element => (
  <div class="notices" role="status">
    {notices.value.map(({ id, kind, text }) => (
      <div key={id} class={`notice ${kind}`}>
        <span>{text}</span>
        <Button look="quiet" icon="close" label="Dismiss" iconOnly act={() => dismiss(id)} />
      </div>
    ))}
  </div>
);
