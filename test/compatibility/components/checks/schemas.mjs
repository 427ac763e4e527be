import Ajv from "ajv";
import { z } from "zod";

const order = z.object({
  id: z.coerce.number().int(),
  at: z.iso.datetime(),
  lines: z.array(z.object({ sku: z.string().min(2) })).nonempty(),
});
const check = new Ajv({ allErrors: true }).compile({
  type: "object",
  required: ["id", "lines"],
  properties: { id: { type: ["number", "string"] }, lines: { type: "array", minItems: 1 } },
});

export default {
  name: "Schemas",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run({ body }) {
    const parsed = order.safeParse(body);
    const isValid = check(body);
    this.http.respond({
      status: parsed.success ? 200 : 422,
      body: { issues: parsed.error?.issues ?? [], errors: check.errors, isValid },
    });
    if (parsed.success) this.$emit(parsed.data, { id: String(parsed.data.id), summary: `Order ${parsed.data.id}` });
  },
};
