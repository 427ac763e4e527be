import type { Json } from "@x/runtime";

import { component, type Data, type Service } from "./fixture.ts";
import type { WebhookBody } from "./webhook-bodies.ts";

/** A webhook of a service with these options, and a function that emits an event to it. */
export async function connect(service: Service, url: string) {
  const source = await service.deploy(component({ name: "Emitting", run: "this.$emit(event)" }));
  const values = new URLSearchParams({ url: url });
  const { body } = await service.call<Data<WebhookBody>>("POST", `/webhooks?${values.toString()}`);
  const pair = new URLSearchParams({ emitter_id: source.id, listener_id: body.data.id });
  await service.call("POST", `/subscriptions?${pair.toString()}`);
  return {
    webhook: body.data,
    async emit(data: Json) {
      await service.run(source.id, data);
      await service.runtime.idle();
    },
  };
}
