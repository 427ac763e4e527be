import type { Json } from "@x/runtime";

import { emptyAnswer, jsonAnswer } from "../answer.ts";
import { formatCursor, pageBody, type PageQuery, parsePage } from "../page.ts";
import { defineRoute, type Route } from "../route.ts";
import type { ParameterSchema } from "../schema.ts";
import { viewNewSource, viewSource } from "../views.ts";
import { flagParameter, pageParameters, referenceParameters, settingParameters } from "./parameters.ts";
import { findReference, parseReference, type ReferenceBody } from "./reference.ts";

interface SettingsBody extends ReferenceBody {
  readonly name?: string;
  readonly configured_props?: { readonly [prop: string]: Json };
}

interface NewSource extends SettingsBody {
  readonly emit_on_deploy?: boolean;
}

interface ChangedSource extends SettingsBody {
  readonly active?: boolean;
}

interface HookQuery {
  readonly ignore_hook_errors?: "true" | "false";
}

const accepted = ["component_id", "component_code", "component_url", "key"] as const;
const active: ParameterSchema = { type: "boolean", description: "true or false" };
const changeBody = { ...referenceParameters, ...settingParameters, active };
const hookQuery = { ignore_hook_errors: flagParameter };

const settingsOf = ({
  name,
  configured_props: props,
}: SettingsBody): { name?: string; props?: Record<string, Json> } => ({
  ...(name !== undefined && { name }),
  ...(props !== undefined && { props }),
});

/** Deployed components. */
export const sourceRoutes: readonly Route[] = [
  defineRoute<"/users/me/sources", PageQuery>({
    method: "GET",
    path: "/users/me/sources",
    summary: "List sources, newest first",
    query: pageParameters,
    async handle({ runtime, userId, query, select }) {
      const page = await runtime.sources(parsePage(query), userId);
      return jsonAnswer(
        200,
        pageBody(
          page,
          ({ source }) => formatCursor(source.id),
          (view) => select(viewSource(view)),
        ),
      );
    },
  }),
  defineRoute<"/sources", object, NewSource>({
    method: "POST",
    path: "/sources",
    summary: "Deploy a source",
    body: {
      ...referenceParameters,
      ...settingParameters,
      emit_on_deploy: { type: "boolean", description: "true or false" },
    },
    async handle({ runtime, userId, body, resource }) {
      const reference = parseReference(body, accepted);
      const { emit_on_deploy: emitOnDeploy } = body;
      const input = { ...reference, ...settingsOf(body), ...(emitOnDeploy !== undefined && { emitOnDeploy }) };
      return resource(200, viewNewSource(await runtime.deploy(input, userId)));
    },
  }),
  defineRoute<"/sources/:id">({
    method: "GET",
    path: "/sources/:id",
    summary: "Read a source",
    async handle({ runtime, userId, params, resource }) {
      return resource(200, viewSource(await runtime.source(params.id, userId)));
    },
  }),
  defineRoute<"/sources/:id", HookQuery, ChangedSource>({
    method: "PUT",
    path: "/sources/:id",
    summary: "Replace a source; what is left out goes back to its default",
    query: hookQuery,
    body: changeBody,
    async handle({ runtime, userId, params, query, body, resource }) {
      const input = {
        ...parseReference(body, accepted),
        ...settingsOf(body),
        active: body.active ?? true,
        replace: true,
        ignoreHookErrors: query.ignore_hook_errors === "true",
      };
      return resource(200, viewSource(await runtime.update(params.id, input, userId)));
    },
  }),
  defineRoute<"/sources/:id", HookQuery, ChangedSource>({
    method: "PATCH",
    path: "/sources/:id",
    summary: "Change a source; what is left out stays as it is",
    query: hookQuery,
    body: changeBody,
    async handle({ runtime, userId, params, query, body, resource }) {
      const input = {
        ...findReference(body),
        ...settingsOf(body),
        ...(body.active !== undefined && { active: body.active }),
        ignoreHookErrors: query.ignore_hook_errors === "true",
      };
      return resource(200, viewSource(await runtime.update(params.id, input, userId)));
    },
  }),
  defineRoute<"/sources/:id", HookQuery>({
    method: "DELETE",
    path: "/sources/:id",
    summary: "Delete a source",
    query: hookQuery,
    async handle({ runtime, userId, params, query }) {
      await runtime.delete(params.id, { ignoreHookErrors: query.ignore_hook_errors === "true" }, userId);
      return emptyAnswer;
    },
  }),
];
