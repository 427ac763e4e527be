import type { DeployInput, Json, Paged, SourceView, UpdateInput } from "@x/runtime";

import { emptyAnswer } from "@x/http";
import { dataOf, listOf, viewNewSource, viewSource } from "@x/resources";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { defineRoute, type Route } from "../route.ts";
import type { ParameterSchema } from "../schema.ts";
import { expandState, findSources, idsParameter, stateOf } from "./source-state.ts";
import { componentErrors } from "./components.ts";
import {
  findReference,
  flagParameter,
  pageParameters,
  parseReference,
  readAccounts,
  readPropTexts,
  type ReferenceBody,
  referenceParameters,
  settingParameters,
} from "./parameters.ts";

interface SettingsBody extends ReferenceBody {
  readonly name?: string;
  readonly configured_props?: { readonly [prop: string]: Json };
  readonly prop_texts?: { readonly [prop: string]: Json };
  readonly accounts?: { readonly [app: string]: Json };
  readonly dynamic_props_id?: string;
}

interface NewSource extends SettingsBody {
  readonly if_exists?: "add" | "update";
  readonly emit_on_deploy?: boolean;
  readonly webhook_url?: string;
}

interface ChangedSource extends SettingsBody {
  readonly active?: boolean;
}

const allOf = <T>(items: readonly T[]): Paged<T> => ({ totalCount: items.length, items: [...items] });

const accepted = ["component_id", "component_code", "component_files", "component_url", "key"] as const;
const active = { type: "boolean", description: "true or false" } as const satisfies ParameterSchema;
const changeBody = { ...referenceParameters, ...settingParameters, active };
const hookQuery = { ignore_hook_errors: flagParameter };

const changeErrors = [...componentErrors, "invalid_props", "additional_props_failed", "hook_failed"] as const;

const settingsOf = ({
  name,
  configured_props: props,
  prop_texts: propTexts,
  accounts,
  dynamic_props_id: dynamicPropsId,
}: SettingsBody): Pick<UpdateInput, "name" | "props" | "propTexts" | "accounts" | "dynamicPropsId"> => ({
  ...(name !== undefined && { name }),
  ...(props !== undefined && { props }),
  ...readPropTexts(propTexts),
  ...readAccounts(accounts),
  ...(dynamicPropsId !== undefined && { dynamicPropsId }),
});

const changeOf = (body: ChangedSource): UpdateInput => ({
  ...findReference(body),
  ...settingsOf(body),
  ...(body.active !== undefined && { active: body.active }),
});

const newBody = {
  ...referenceParameters,
  ...settingParameters,
  if_exists: { type: "string", enum: ["add", "update"], description: '"add" (default) or "update"' },
  emit_on_deploy: { type: "boolean", description: "true or false" },
  webhook_url: { type: "string", maxLength: 4_000, description: "an absolute http or https URL" },
} as const;

const newOf = (body: NewSource): DeployInput => {
  const { if_exists: ifExists, emit_on_deploy: emitOnDeploy, webhook_url: webhookUrl } = body;
  return {
    ...parseReference(body, accepted),
    ...settingsOf(body),
    ...(ifExists !== undefined && { ifExists }),
    ...(emitOnDeploy !== undefined && { emitOnDeploy }),
    ...(webhookUrl !== undefined && { webhookUrl }),
  };
};

/** Deployed components. */
export const sourceRoutes: readonly Route[] = [
  defineRoute({
    name: "listSources",
    tag: "Sources",
    method: "GET",
    path: "/users/me/sources",
    summary: "List sources, newest first",
    description: [
      "With `expand=state` each source has `state`: its next tick, its queue, its events and failures of the last 24 hours.",
      "`ids` lists these sources alone, without pages; unknown ones are left out.",
    ].join("\n"),
    answer: { status: 200, description: "A page of sources.", schema: listOf("Source") },
    query: { ...pageParameters, expand: expandState, ids: idsParameter },
    async handle({ runtime, query, select }) {
      const page = query.ids ? allOf(await findSources(runtime, query.ids)) : await runtime.sources(parsePage(query));
      const states = new Map<SourceView, object>();
      for (const view of page.items) states.set(view, await stateOf(runtime, view, query));
      return pageAnswer(
        page,
        ({ source }) => idCursor(source),
        (view) => select({ ...viewSource(view), ...states.get(view) }),
      );
    },
  }),
  defineRoute({
    name: "deploySource",
    tag: "Sources",
    method: "POST",
    path: "/sources",
    summary: "Deploy a source",
    description: [
      "The component is the first of `component_id`, `key`, `component_code`, `component_files` and `component_url` that is",
      "given. Its hooks `deploy` and `activate` run before the answer; when one throws, no source is created.",
      "",
      "`component_files` are the texts of several files, whose relative imports lead to each other; `component_entry` is the",
      "one with the component, and a `package.json` among them declares versions. `accounts` are accounts by app. `prop_texts`",
      'are values as a person types them: `{"ids": ["1,2"], "on": ["yes"]}` are read by the types of the props.',
      "",
      "With `if_exists: update` the source with this name is changed instead, as PATCH does: it keeps its id, its endpoints,",
      "its db and its events, and a request without a difference runs no hook. `change` of the answer says what happened.",
      "",
      "`webhook_url` gets what the source emits, from the deploy hook on: your active webhook with that URL, or a new one,",
      "is subscribed together with the source. `webhook` of the answer is that webhook, with its signing key when it is",
      "new: it is not shown again. Deleting the source ends the subscription; the webhook stays.",
    ].join("\n"),
    bodyExample: {
      key: "press-releases",
      name: "Press releases",
      configured_props: { feed: "https://news.example/rss", timer: { intervalSeconds: 300 } },
    },
    errors: [...changeErrors, "not_found", "address_forbidden"],
    answer: { status: 200, description: "The new source.", schema: dataOf("NewSource") },
    body: newBody,
    async handle({ runtime, body, resource }) {
      return resource(200, viewNewSource(await runtime.deploy(newOf(body))));
    },
  }),
  defineRoute({
    name: "compareDeploy",
    tag: "Sources",
    method: "POST",
    path: "/sources/compare",
    summary: "Say what a deploy by name would do",
    description: [
      "The body is that of `POST /sources`, which is taken with `if_exists: update`. Code is built and checked; nothing is",
      "saved, and no hook runs.",
    ].join("\n"),
    bodyExample: { key: "press-releases", configured_props: { feed: "https://news.example/atom" } },
    errors: [...componentErrors, "invalid_props", "additional_props_failed", "not_found", "address_forbidden"],
    answer: {
      status: 200,
      description: "What would happen, and to which source.",
      schema: dataOf("DeployComparison"),
    },
    body: newBody,
    async handle({ runtime, body, resource }) {
      const { nameSlug, ...compared } = await runtime.compareDeploy(newOf(body));
      return resource(200, { ...compared, name_slug: nameSlug });
    },
  }),
  defineRoute({
    name: "readSource",
    tag: "Sources",
    method: "GET",
    path: "/sources/:id",
    summary: "Read a source",
    answer: { status: 200, description: "The source.", schema: dataOf("Source") },
    query: { expand: expandState },
    async handle({ runtime, params, query, resource }) {
      const view = await runtime.source(params.id);
      return resource(200, { ...viewSource(view), ...(await stateOf(runtime, view, query)) });
    },
  }),
  defineRoute({
    name: "replaceSource",
    tag: "Sources",
    method: "PUT",
    path: "/sources/:id",
    summary: "Replace a source; absent fields get their defaults",
    description: [
      "Without `name` the source is named after its component, without `active` it becomes active. Use PATCH to change",
      "only some things. `configured_props` are merged by name; null removes a value.",
    ].join("\n"),
    bodyExample: { component_id: "sc_4mPz81KcYd", name: "Press releases", active: true },
    errors: [...changeErrors, "busy"],
    answer: { status: 200, description: "The changed source.", schema: dataOf("Source") },
    query: hookQuery,
    body: changeBody,
    async handle({ runtime, params, query, body, resource }) {
      const input = {
        ...parseReference(body, accepted),
        ...settingsOf(body),
        active: body.active ?? true,
        replace: true,
        ignoreHookErrors: query.ignore_hook_errors === "true",
      };
      return resource(200, viewSource(await runtime.update(params.id, input)));
    },
  }),
  defineRoute({
    name: "changeSource",
    tag: "Sources",
    method: "PATCH",
    path: "/sources/:id",
    summary: "Change a source; absent fields stay",
    description: "A request without a difference runs no hook.",
    bodyExample: { active: false },
    errors: [...changeErrors, "busy"],
    answer: { status: 200, description: "The changed source.", schema: dataOf("Source") },
    query: hookQuery,
    body: changeBody,
    async handle({ runtime, params, query, body, resource }) {
      const input = {
        ...changeOf(body),
        ignoreHookErrors: query.ignore_hook_errors === "true",
      };
      return resource(200, viewSource(await runtime.update(params.id, input)));
    },
  }),
  defineRoute({
    name: "compareSource",
    tag: "Sources",
    method: "POST",
    path: "/sources/:id/compare",
    summary: "Say what a change of a source would change",
    description: "The body is that of PATCH. Code is built and checked; nothing is saved, and no hook runs.",
    bodyExample: { configured_props: { feed: "https://news.example/atom" } },
    errors: [...componentErrors, "invalid_props", "additional_props_failed"],
    answer: {
      status: 200,
      description: "The differences; none when nothing would change.",
      schema: dataOf("Comparison"),
    },
    body: changeBody,
    async handle({ runtime, params, body, resource }) {
      return resource(200, await runtime.compare(params.id, changeOf(body)));
    },
  }),
  defineRoute({
    name: "reactivateSource",
    tag: "Sources",
    method: "POST",
    path: "/sources/:id/reactivate",
    summary: "Run the hooks deactivate and activate of a source, which registers its endpoints anew",
    description: "For a source whose endpoints have another base URL since: `endpoint_changed` of its state.",
    errors: ["hook_failed", "inactive", "busy"],
    answer: { status: 200, description: "The source.", schema: dataOf("Source") },
    query: hookQuery,
    async handle({ runtime, params, query, resource }) {
      const ignoreHookErrors = query.ignore_hook_errors === "true";
      return resource(200, viewSource(await runtime.reactivate(params.id, { ignoreHookErrors })));
    },
  }),
  defineRoute({
    name: "deleteSource",
    tag: "Sources",
    method: "DELETE",
    path: "/sources/:id",
    summary: "Delete a source",
    description: "When its `deactivate` hook throws the source stays, unless `ignore_hook_errors` is true.",
    errors: ["hook_failed", "busy"],
    answer: { status: 204, description: "Deleted, with its events and its db." },
    query: hookQuery,
    async handle({ runtime, params, query }) {
      await runtime.delete(params.id, { ignoreHookErrors: query.ignore_hook_errors === "true" });
      return emptyAnswer;
    },
  }),
];
