import { isDeepStrictEqual } from "node:util";

import { accountId } from "@x/accounts";
import { shownEndpointValue } from "@x/components";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import { secretMask, type SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { Json, RanWith } from "@x/model";
import type { RecordBounds } from "./record-bounds.ts";

type Configured = Pick<CachedSource, "source" | "component">;
type Props = { readonly [prop: string]: Json };

/** The configured props, with references in the places of secrets. */
function referencedProps({ source, component }: Configured, mask: Pick<SecretMask, "value">): Props {
  const secrets = new Set(component.shape.props.flatMap(({ name, secret }) => (secret === true ? name : [])));
  const endpoints = new Set(
    component.shape.props.flatMap(({ name, type }) => (type === "$.interface.http" ? name : [])),
  );
  const open = Object.entries(source.configuredProps)
    .filter(([name]) => !secrets.has(name))
    .map(([name, value]): [string, Json] => [name, endpoints.has(name) ? shownEndpointValue(value) : value]);
  const hidden = Object.keys(source.configuredProps).filter((name) => secrets.has(name));
  return {
    ...(mask.value(Object.fromEntries(open)) as Props),
    ...Object.fromEntries(hidden.map((name) => [name, { $secret: name }])),
  };
}

/** What an execution of the source runs with: without secrets, and within the bounds of a record. */
export function ranWithOf(
  configured: Configured,
  mask: Pick<SecretMask, "value">,
  { props: most }: Pick<RecordBounds, "props">,
): RanWith {
  const { source, component } = configured;
  const { configuredProps, dynamicProps, settings } = source;
  const isKept = JSON.stringify([configuredProps, dynamicProps]).length <= most;
  return {
    componentId: component.id,
    componentHash: component.contentHash,
    configuredProps: isKept ? referencedProps(configured, mask) : null,
    ...(isKept &&
      dynamicProps && { dynamicProps: mask.value([...dynamicProps] as Json) as unknown as typeof dynamicProps }),
    settings,
  };
}

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");
const nameOf = ({ shape, contentHash }: CachedSource["component"]): string =>
  `${shape.version} (${contentHash.slice(0, 12)})`;

/** How a run's source differed from the present one, as sentences. Changes of secrets are not seen. */
export function differencesOf(ran: Configured, present: Configured): string[] {
  const before = ran.source.configuredProps;
  const after = referencedProps(present, secretMask(present.component, present.source, {}));
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const isAccount = (name: string): boolean => (accountId(before[name]) ?? accountId(after[name])) !== undefined;
  const accounts = changed.filter(isAccount);
  const props = changed.filter((name) => !isAccount(name));
  return [
    ...(ran.component.contentHash === present.component.contentHash
      ? []
      : [
          `The run used version ${nameOf(ran.component)} of the component, the source now has ${nameOf(present.component)}: the test may fail where they differ.`,
        ]),
    ...(props.length > 0
      ? [`The props are those of the run; the source now has other values of ${quoted(props)}.`]
      : []),
    ...(accounts.length > 0
      ? [`The accounts are those of the run; the source now has other ones for ${quoted(accounts)}.`]
      : []),
    ...(isDeepStrictEqual(ran.source.settings, present.source.settings)
      ? []
      : ["The settings are those of the run; the source now has others."]),
  ];
}
