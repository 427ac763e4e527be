import type { ComponentShape, Json } from "@x/model";
import type { ConfiguredProps } from "../contract.ts";
import { secretMarker } from "./secret-marker.ts";
import { shownEndpointValue } from "./verify-value.ts";
import { propKind } from "./prop-type.ts";

/** The `configurable_props` of a component, in declaration order. Functions are already replaced by flags. */
export const configurableProps = (shape: ComponentShape): { [field: string]: Json }[] =>
  shape.props.map((prop) =>
    Object.fromEntries(Object.entries(prop).filter((field): field is [string, Json] => field[1] !== undefined)),
  );

/** The `configured_props` of a source in responses: secrets are replaced by a marker, endpoints have their URLs, apphooks what they listen to. */
export function presentProps(
  shape: ComponentShape,
  configured: ConfiguredProps,
  endpointUrls: { readonly [prop: string]: string },
  appHooks: { readonly [prop: string]: Json } = {},
): { [prop: string]: Json } {
  const shown: [string, Json][] = [];
  for (const prop of shape.props) {
    const value = Object.hasOwn(configured, prop.name) ? configured[prop.name] : undefined;
    switch (propKind(prop.type)) {
      case "http": {
        const url = Object.hasOwn(endpointUrls, prop.name) ? endpointUrls[prop.name] : undefined;
        if (url !== undefined) shown.push([prop.name, { endpoint_url: url, ...shownEndpointValue(value) }]);
        break;
      }
      case "apphook":
        shown.push([prop.name, (Object.hasOwn(appHooks, prop.name) ? appHooks[prop.name] : null) ?? null]);
        break;
      case "db":
        shown.push([prop.name, { type: prop.type }]);
        break;
      case "alert":
      case "dir":
        break;
      case "timer":
      case "app":
      case "value":
        if (value !== undefined) shown.push([prop.name, prop.secret === true ? { ...secretMarker } : value]);
        break;
    }
  }
  return Object.fromEntries(shown);
}
