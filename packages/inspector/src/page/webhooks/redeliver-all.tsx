import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { request } from "../api/client.ts";
import { readCount } from "../api/pages.ts";
import { usePolling } from "../api/polling.ts";
import { useResource } from "../api/resource.ts";
import type { DataOf } from "../api/shapes.ts";
import { attempt } from "../app/notices.ts";
import { count } from "../text/format.ts";
import { Button } from "../ui/button.tsx";

const pollMs = 500;

interface ProgressProps {
  /** Of the deliveries. */
  readonly path: string;
  /** How many are sent again. */
  readonly total: number;
  readonly changed: () => void;
}

/** How many have been sent: those that are no longer pending. */
function Progress({ path, total, changed }: ProgressProps): JSX.Element {
  const pending = useResource(path, (signal) => readCount(path, { status: "pending" }, signal));
  usePolling(pending, pollMs);
  const sent = Math.max(0, total - (pending.data ?? total));
  useEffect(changed, [sent]);
  return (
    <span class="row dim number" role="status">
      <progress aria-label="Sent again" max={total} value={sent} /> {`${count(sent)} of ${count(total)} sent again`}
    </span>
  );
}

interface Props {
  readonly webhookId: string;
  /** Whether there are dead letters to send. */
  readonly some: boolean;
  readonly changed: () => void;
}

/** Sends all dead letters of a webhook again, and shows how far that is. */
export function RedeliverAll({ webhookId, some, changed }: Props): JSX.Element {
  const path = `/webhooks/${webhookId}`;
  const [total, setTotal] = useState(0);
  return (
    <>
      {total > 0 && <Progress key={total} path={`${path}/deliveries`} total={total} changed={changed} />}
      {some && (
        <Button
          icon="reload"
          label="Redeliver all"
          act={async () => {
            await attempt(async () => {
              const { data } = await request<DataOf<{ count: number }>>("POST", `${path}/redeliver`, { body: {} });
              setTotal(data.count);
            });
            changed();
          }}
        />
      )}
    </>
  );
}
