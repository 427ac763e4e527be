import { accountSchemas } from "./accounts.ts";
import { appEventSchemas } from "./app-endpoints.ts";
import { appSchemas } from "./apps.ts";
import { componentSchemas } from "./components.ts";
import { dataSchemas } from "./data.ts";
import { eventSchemas } from "./events.ts";
import { executionSchemas } from "./execution-detail.ts";
import { optionSchemas } from "./options.ts";
import { projectSchemas } from "./projects.ts";
import { runSchemas } from "./runs.ts";
import { record, type Schema, text, whole } from "./shapes.ts";
import { sourceSchemas } from "./sources.ts";
import { subscriptionSchemas } from "./subscriptions.ts";
import { userSchemas } from "./users.ts";
import { webhookSchemas } from "./webhooks.ts";
import { workflowSchemas } from "./workflows.ts";

/** The schemas of the interface by name. */
export const schemas: Readonly<Record<string, Schema>> = {
  Error: {
    ...record({
      error: text("What went wrong, for people."),
      code: text("What went wrong, for programs."),
      details: {
        type: "object",
        description: "`errors` lists every problem of the request with its JSON pointer.",
        properties: {
          errors: {
            type: "array",
            items: {
              type: "object",
              properties: {
                in: { type: "string", enum: ["path", "query", "header", "body"] },
                path: { type: "string" },
                message: { type: "string" },
                file: text("The author's file, for problems of code."),
                line: { type: "integer" },
                column: { type: "integer" },
                frame: text("The lines around it."),
              },
              required: ["path", "message"],
            },
          },
        },
      },
    }),
    examples: [
      {
        error: 'Parameter "limit" must be an integer, got "ten".',
        code: "invalid_parameter",
        details: {
          parameter: "limit",
          received: "ten",
          errors: [{ in: "query", path: "/limit", message: "must be an integer" }],
        },
      },
    ],
  },
  PageInfo: {
    ...record({
      total_count: whole("Items of the whole list."),
      count: whole("Items of this page."),
      start_cursor: text("Cursor of the first item; empty on an empty page."),
      end_cursor: text("Cursor of the last item; empty on an empty page."),
    }),
    examples: [{ total_count: 12, count: 2, start_cursor: "ZGNfaDdUcTJXbjRaeA", end_cursor: "ZGNfOWFiQ2RFZkdoSQ" }],
  },
  ...componentSchemas,
  ...sourceSchemas,
  ...projectSchemas,
  ...eventSchemas,
  ...workflowSchemas,
  ...runSchemas,
  ...dataSchemas,
  ...optionSchemas,
  ...subscriptionSchemas,
  ...webhookSchemas,
  ...executionSchemas,
  ...userSchemas,
  ...accountSchemas,
  ...appSchemas,
  ...appEventSchemas,
};
