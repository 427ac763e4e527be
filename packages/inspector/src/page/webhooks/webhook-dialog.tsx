import type { WebhookDetail } from "@x/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";

import { messageOf, request } from "../api/client.ts";
import type { DataOf } from "../api/shapes.ts";
import { Button } from "../ui/button.tsx";
import { Chips } from "../ui/chips.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/text-field.tsx";

interface DialogProps {
  /** Absent: a new one. */
  readonly webhook?: WebhookDetail;
  readonly close: () => void;
  /** `key`: the signing key of a new one. */
  readonly done: (webhook: WebhookDetail, key: string | undefined) => void;
}

const formats = [
  { value: "event", label: "The event alone" },
  { value: "envelope", label: "With id, time, name and emitter" },
  { value: "cloudevents", label: "CloudEvent" },
  { value: "cloudevents-binary", label: "CloudEvent, binary mode" },
] as const;

/** Makes or changes a webhook. */
export function WebhookDialog({ webhook, close, done }: DialogProps): JSX.Element {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [name, setName] = useState(webhook?.name ?? "");
  const [format, setFormat] = useState<WebhookDetail["format"]>(webhook?.format ?? "event");
  const [problem, setProblem] = useState("");
  async function submit(): Promise<void> {
    try {
      const given = { url: url.trim(), format, ...(name === "" ? {} : { name }) };
      const body = webhook ? { ...given, name: name === "" ? null : name } : given;
      const { data } = await request<DataOf<WebhookDetail & { signing_key?: string }>>(
        webhook ? "PUT" : "POST",
        webhook ? `/webhooks/${webhook.id}` : "/webhooks",
        { body },
      );
      done(data, data.signing_key);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }
  return (
    <Dialog
      title={webhook ? "Edit the webhook" : "New webhook"}
      close={close}
      end={
        <>
          <Button label="Cancel" act={close} />
          <Button look="main-action" label={webhook ? "Save" : "Create"} act={submit} />
        </>
      }
    >
      <TextField label="URL" value={url} change={setUrl} required problem={problem} />
      <TextField label="Name" value={name} change={setName} about="Optional" />
      <div class="field">
        <span class="field-label">Body</span>
        <Chips label="Body" value={format} choices={formats} change={setFormat} />
      </div>
    </Dialog>
  );
}
