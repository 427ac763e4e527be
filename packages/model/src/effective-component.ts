import type { Component, PropShape } from "./model.ts";

/** The component of a source. Dynamic props from `additionalProps` replace declared props of the same name. */
export function effectiveComponent(component: Component, dynamicProps: readonly PropShape[] = []): Component {
  if (dynamicProps.length === 0) return component;
  const dynamic = new Map(dynamicProps.map((prop) => [prop.name, prop]));
  const declared = component.shape.props.map((prop) => dynamic.get(prop.name) ?? prop);
  for (const { name } of declared) dynamic.delete(name);
  return { ...component, shape: { ...component.shape, props: [...declared, ...dynamic.values()] } };
}
