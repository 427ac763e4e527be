import type { Webhook } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { count } from "../text/format.ts";
import { Button } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Progress } from "../ui/progress.tsx";
import { TimeField } from "../ui/time-field.tsx";
import { redeliveries, redeliverMany, type RedeliveryRange } from "./redelivery.ts";

type Sent = Pick<Webhook, "id" | "name" | "url">;

interface DeadProps {
  readonly webhook: Sent;
  readonly dead: number;
  readonly changed: () => void;
  readonly quiet?: boolean;
}

/** Sends all dead letters again; while any deliveries of the webhook are sent again, how far that is. */
export function RedeliverDead({ webhook, dead, changed, quiet = false }: DeadProps): JSX.Element | null {
  const progress = redeliveries.value.get(webhook.id);
  if (progress) return <Progress label="Sent again" done={progress.sent} total={progress.total} />;
  if (dead === 0) return null;
  return (
    <Button
      look={quiet ? "quiet" : "plain"}
      icon="reload"
      label={`Redeliver ${count(dead)} dead`}
      act={() => redeliverMany(webhook).then(changed)}
    />
  );
}

const statuses = [
  { value: "dead", label: "Dead letters" },
  { value: "delivered", label: "Delivered ones" },
] as const;

interface RangeProps {
  readonly webhook: Sent;
  readonly close: () => void;
  readonly changed: () => void;
}

/** Asks which deliveries are sent again, by when they were created. */
export function RangeDialog({ webhook, close, changed }: RangeProps): JSX.Element {
  const [status, setStatus] = useState<NonNullable<RedeliveryRange["status"]>>("dead");
  const [since, setSince] = useState("");
  const [until, setUntil] = useState("");
  function start(): void {
    close();
    const range = {
      status,
      ...(since !== "" && { since: new Date(since).getTime() }),
      ...(until !== "" && { until: new Date(until).getTime() }),
    };
    void redeliverMany(webhook, range).then(changed);
  }
  return (
    <Dialog
      title="Redeliver a range"
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label="Redeliver" act={start} />
        </>
      }
    >
      <Chips label="Which" value={status} choices={statuses} change={setStatus} />
      <TimeField label="Created from" value={since} change={setSince} />
      <TimeField label="Until" value={until} change={setUntil} />
      <p class="dim">Without a time the range is open. Deliveries are sent oldest first.</p>
    </Dialog>
  );
}
