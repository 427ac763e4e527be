import type { Json, RecordedBody } from "@x/runtime";

/** The fields of a body, with the name of the message before each. */
export function viewBody(name: string, body: RecordedBody | undefined): { readonly [field: string]: Json } {
  if (!body) return {};
  return {
    ...(body.text !== undefined && { [`${name}body`]: body.text }),
    ...(body.base64 !== undefined && { [`${name}body_base64`]: body.base64 }),
    ...(body.truncated && { [`${name}body_truncated`]: true }),
  };
}
