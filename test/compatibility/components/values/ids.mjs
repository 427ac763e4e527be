import { nanoid } from "nanoid";
import { NIL, parse, stringify, v1, v3, v4, v5, v7, validate, version } from "uuid";
import { uuid as oldUuid } from "uuidv4";

export default {
  name: "Ids",
  version: "0.0.1",
  props: {},
  run() {
    const made = [v1(), v4(), v7(), oldUuid(), crypto.randomUUID()];
    this.$emit({
      named: [v5("order-1", v5.URL), v3("order-1", v3.DNS)],
      shapes: made.map((id) => [validate(id), version(id), id.length]),
      distinct: new Set(made).size,
      bytes: stringify(parse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")),
      nil: NIL,
      short: [nanoid(), nanoid(10)].map((id) => /^[\w-]+$/.test(id) && id.length),
    });
  },
};
