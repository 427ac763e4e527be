import { buildSchema, graphql, GraphQLError, parse, print, validate } from "graphql";

const schema = buildSchema(`
  type Product { id: ID! title: String! price(currency: String = "EUR"): Float }
  type Query { product(id: ID!): Product products: [Product!]! }
`);

/** Answers queries that come by webhook, after the upstream gave the products. */
export default {
  name: "Query checked",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  methods: {
    async products() {
      const products = await (await fetch("https://shop.example.com/products.json")).json();
      return products.map((each) => ({
        ...each,
        price: ({ currency }) => (currency === "EUR" ? each.cents / 100 : null),
      }));
    },
  },
  async run({ body }) {
    try {
      const document = parse(body.query);
      const problems = validate(schema, document).map(({ message, locations }) => ({ message, locations }));
      if (problems.length) return this.http.respond({ status: 400, body: { problems } });
      const products = await this.products();
      const rootValue = { products, product: ({ id }) => products.find((each) => each.id === id) };
      const answer = await graphql({ schema, source: body.query, rootValue, variableValues: body.variables });
      this.http.respond({ status: 200, body: answer });
      this.$emit({ query: print(document), ...answer });
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      this.http.respond({ status: 422, body: error.toJSON() });
    }
  },
};
