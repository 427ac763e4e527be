import type { Source } from "../api/api.ts";
import type { Source as SourceRecord } from "../model/model.ts";

/** The source as callers see it: with the URLs of its endpoints. */
export const shownSource = (source: SourceRecord, endpointUrl: (key: string) => string): Source => ({
  ...source,
  endpoints: Object.fromEntries(Object.entries(source.endpoints).map(([prop, key]) => [prop, endpointUrl(key)])),
});
