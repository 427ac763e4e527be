import type { DeployInput, Json, SourceView, UpdateInput } from "@x/runtime";

import { viewNewSource, viewSource } from "@x/resources";
import { readSearch, searchIn } from "../list-search.ts";
import { idCursor, pageAnswer, parsePage } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { nothing, one, pageOf } from "../route-answer.ts";
import type { ParameterSchema } from "../schema.ts";
import { findListed, idsParameter } from "./listed-ids.ts";
import { expandState, stateOf } from "./source-state.ts";
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

const route = tagged("Sources");

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

const listFilters = {
  app: { type: "string", maxLength: 128, description: "the slug of an app: only sources that listen to its events" },
  ...searchIn("the name or the slug, or begins the id"),
  status: {
    type: "string",
    enum: ["", "active", "paused", "failing"],
    description: '"active", "paused" or "failing"',
    shownAs: { type: "string", enum: ["active", "paused", "failing"] },
  },
} as const satisfies Readonly<Record<string, ParameterSchema>>;

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
  route("GET /users/me/sources", {
    name: "listSources",
    summary: "List sources, newest first",
    description: [
      "With `expand=state` each source has `state`: its next tick, its queue, its events and failures of the last 24 hours.",
      "`ids` lists these sources alone, without pages; unknown ones are left out. `failing` sources have errors in the last 24",
      "hours. `total_count` is the number of the sources that match.",
    ].join("\n"),
    answer: pageOf("Source", "A page of sources."),
    query: { ...pageParameters, ...listFilters, expand: expandState, ids: idsParameter },
    async handle({ runtime, query, select }) {
      const filter = {
        ...readSearch(query),
        ...(query.app && { app: query.app }),
        ...(query.status && { status: query.status }),
      };
      const page = query.ids
        ? await findListed({ ...query, ids: query.ids }, (id) => runtime.source(id))
        : await runtime.sources(parsePage(query), filter);
      const states = new Map<SourceView, object>();
      for (const view of page.items) states.set(view, await stateOf(runtime, view, query));
      return pageAnswer(
        page,
        ({ source }) => idCursor(source),
        (view) => select({ ...viewSource(view), ...states.get(view) }),
      );
    },
  }),
  route("POST /sources", {
    name: "deploySource",
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
    answer: one("NewSource", "The new source."),
    body: newBody,
    handle: async ({ runtime, body }) => viewNewSource(await runtime.deploy(newOf(body))),
  }),
  route("POST /sources/compare", {
    name: "compareDeploy",
    summary: "Say what a deploy by name would do",
    description: [
      "The body is that of `POST /sources`, which is taken with `if_exists: update`. Code is built and checked; nothing is",
      "saved, and no hook runs.",
    ].join("\n"),
    bodyExample: { key: "press-releases", configured_props: { feed: "https://news.example/atom" } },
    errors: [...componentErrors, "invalid_props", "additional_props_failed", "not_found", "address_forbidden"],
    answer: one("DeployComparison", "What would happen, and to which source."),
    body: newBody,
    async handle({ runtime, body }) {
      const { nameSlug, ...compared } = await runtime.compareDeploy(newOf(body));
      return { ...compared, name_slug: nameSlug };
    },
  }),
  route("GET /sources/:id", {
    name: "readSource",
    summary: "Read a source",
    answer: one("Source", "The source."),
    query: { expand: expandState },
    async handle({ runtime, params, query }) {
      const view = await runtime.source(params.id);
      return { ...viewSource(view), ...(await stateOf(runtime, view, query)) };
    },
  }),
  route("PUT /sources/:id", {
    name: "replaceSource",
    summary: "Replace a source; absent fields get their defaults",
    description: [
      "Without `name` the source is named after its component, without `active` it becomes active. Use PATCH to change",
      "only some things. `configured_props` are merged by name; null removes a value.",
    ].join("\n"),
    bodyExample: { component_id: "sc_4mPz81KcYd", name: "Press releases", active: true },
    errors: [...changeErrors, "busy"],
    answer: one("Source", "The changed source."),
    query: hookQuery,
    body: changeBody,
    async handle({ runtime, params, query, body }) {
      const input = {
        ...parseReference(body, accepted),
        ...settingsOf(body),
        active: body.active ?? true,
        replace: true,
        ignoreHookErrors: query.ignore_hook_errors === "true",
      };
      return viewSource(await runtime.update(params.id, input));
    },
  }),
  route("PATCH /sources/:id", {
    name: "changeSource",
    summary: "Change a source; absent fields stay",
    description: "A request without a difference runs no hook.",
    bodyExample: { active: false },
    errors: [...changeErrors, "busy"],
    answer: one("Source", "The changed source."),
    query: hookQuery,
    body: changeBody,
    async handle({ runtime, params, query, body }) {
      const input = {
        ...changeOf(body),
        ignoreHookErrors: query.ignore_hook_errors === "true",
      };
      return viewSource(await runtime.update(params.id, input));
    },
  }),
  route("POST /sources/:id/compare", {
    name: "compareSource",
    summary: "Say what a change of a source would change",
    description: "The body is that of PATCH. Code is built and checked; nothing is saved, and no hook runs.",
    bodyExample: { configured_props: { feed: "https://news.example/atom" } },
    errors: [...componentErrors, "invalid_props", "additional_props_failed"],
    answer: one("Comparison", "The differences; none when nothing would change."),
    body: changeBody,
    handle: async ({ runtime, params, body }) => await runtime.compare(params.id, changeOf(body)),
  }),
  route("POST /sources/:id/reactivate", {
    name: "reactivateSource",
    summary: "Run the hooks deactivate and activate of a source, which registers its endpoints anew",
    description: "For a source whose endpoints have another base URL since: `endpoint_changed` of its state.",
    errors: ["hook_failed", "inactive", "busy"],
    answer: one("Source", "The source."),
    query: hookQuery,
    async handle({ runtime, params, query }) {
      const ignoreHookErrors = query.ignore_hook_errors === "true";
      return viewSource(await runtime.reactivate(params.id, { ignoreHookErrors }));
    },
  }),
  route("DELETE /sources/:id", {
    name: "deleteSource",
    summary: "Delete a source",
    description: "When its `deactivate` hook throws the source stays, unless `ignore_hook_errors` is true.",
    errors: ["hook_failed", "busy"],
    answer: nothing("Deleted, with its events and its db."),
    query: hookQuery,
    handle: ({ runtime, params, query }) =>
      runtime.delete(params.id, { ignoreHookErrors: query.ignore_hook_errors === "true" }),
  }),
];
