import { viewComponent } from "../views.ts";
import { defineRoute, type Route } from "../route.ts";
import { referenceParameters } from "./parameters.ts";
import { parseReference, type ReferenceBody } from "./reference.ts";

type NewComponent = Pick<ReferenceBody, "component_code" | "component_url">;

const { component_code, component_url } = referenceParameters;

/** Saved components. */
export const componentRoutes: readonly Route[] = [
  defineRoute<"/components", object, NewComponent>({
    method: "POST",
    path: "/components",
    summary: "Save a component",
    body: { component_code, component_url },
    async handle({ runtime, userId, body, resource }) {
      const { code = "", url } = parseReference(body, ["component_code", "component_url"]);
      const component = await runtime.saveComponent({ code, ...(url !== undefined && { url }) }, userId);
      return resource(200, viewComponent(component));
    },
  }),
  defineRoute<"/components/:key">({
    method: "GET",
    path: "/components/:key",
    summary: "Read a component by its key or id",
    async handle({ runtime, userId, params, resource }) {
      return resource(200, viewComponent(await runtime.component(params.key, userId)));
    },
  }),
];
