import _ from "lodash";
import flatMap from "lodash.flatmap";
import get from "lodash.get";
import isEmpty from "lodash.isempty";
import map from "lodash.map";
import sortBy from "lodash.sortby";
import template from "lodash.template";
import toPath from "lodash.topath";
import uniqBy from "lodash.uniqby";

export default {
  name: "Groups by lodash",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  run({ body }) {
    const orders = uniqBy(sortBy(body.orders, ["city", "total"]), "id");
    this.$emit({
      byCity: _.mapValues(_.groupBy(orders, "city"), (group) => _.sumBy(group, "total")),
      first: get(body, "orders[0].lines[1].sku", "none"),
      path: toPath("a[0].b['c.d']"),
      skus: flatMap(orders, ({ lines }) => map(lines, "sku")),
      empty: [isEmpty({}), isEmpty(body)],
      text: template("Hello <%- name %>: <% for (const o of orders) { %><%= o.id %> <% } %>")({ name: "<b>", orders }),
      merged: _.merge({ a: { b: [1, 2] } }, { a: { b: [3], c: 1 } }),
      chunks: _.chunk(_.range(5), 2),
      cases: [_.camelCase("Foo Bar"), _.kebabCase("fooBar"), _.startCase("--foo-bar--"), _.deburr("déjà")],
      picked: _(orders)
        .filter({ city: "Oslo" })
        .map(_.partialRight(_.pick, ["id"]))
        .value(),
      equal: _.isEqual(new Map([[1, { a: 2 }]]), new Map([[1, { a: 2 }]])),
      cloned: _.cloneDeep({ at: new Date(0), re: /x/gi }).at.toISOString(),
    });
  },
};
