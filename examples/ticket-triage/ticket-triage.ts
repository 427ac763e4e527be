import { defineWorkflow, type Steps } from "@x/types";

import findWords from "./find-words.ts";

interface Ticket {
  readonly from: string;
  readonly text: string;
}

function isTicket(body: unknown): body is Ticket {
  const { from, text } = Object(body) as Partial<Record<keyof Ticket, unknown>>;
  return typeof from === "string" && typeof text === "string" && text.trim() !== "";
}

/** The result of an earlier step. */
const returned = <T>(steps: Steps, step: string): T => steps[step]?.["$return_value"] as T;

/** Accepts tickets over HTTP, finds urgent ones, numbers and emits them, and answers the sender. */
export default defineWorkflow({
  name: "Ticket triage",
  trigger: { type: "http", customResponse: true },
  steps: [
    {
      type: "action",
      name: "check",
      run({ steps, $ }) {
        const { body } = steps.trigger.event;
        if (isTicket(body)) return body;
        void $.respond({ status: 400, body: { error: 'Send JSON with "from" and "text"' } });
        return $.flow.exit("no ticket");
      },
    },
    {
      name: "urgent",
      action: findWords,
      props: {
        text: ({ steps }) => returned<Ticket>(steps, "check").text,
        words: ["urgent", "down", "broken", "asap"],
      },
    },
    {
      type: "action",
      name: "number",
      props: { db: "$.service.db" },
      run() {
        // The number and the event are stored in one transaction.
        const next = (this.db.get("last") ?? 0) + 1;
        this.db.set("last", next);
        return next;
      },
    },
    {
      type: "action",
      name: "answer",
      run({ steps, $ }) {
        const words = returned<string[]>(steps, "urgent");
        const number = returned<number>(steps, "number");
        const ticket = { number, ...returned<Ticket>(steps, "check"), words };
        // Urgent tickets have their own channel for subscribers.
        void $.send.emit(ticket, {
          id: number,
          summary: `#${number} from ${ticket.from}`,
          ...(words.length > 0 && { name: "urgent" }),
        });
        void $.respond({ status: 201, body: { number, urgent: words.length > 0 } });
      },
    },
  ],
});
