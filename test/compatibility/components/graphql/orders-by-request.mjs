import { ClientError, gql, GraphQLClient } from "graphql-request";

const ORDERS = gql`
  query Orders($after: String, $first: Int = 2) {
    orders(after: $after, first: $first) {
      nodes {
        id
        total
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`;

/** Pages of a GraphQL connection, and its errors. */
export default {
  name: "Orders by request",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  methods: {
    client() {
      return new GraphQLClient("https://shop.example.com/graphql", {
        headers: { Authorization: "Bearer g", "X-Version": "2" },
      });
    },
  },
  async run() {
    let after = this.db.get("cursor");
    try {
      for (let more = true; more;) {
        const { orders } = await this.client().request(ORDERS, { after });
        orders.nodes.forEach((order) => this.$emit(order, { id: order.id, summary: `${order.total} €` }));
        ({ endCursor: after, hasNextPage: more } = orders.pageInfo);
      }
      this.db.set("cursor", after);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const { status, errors } = error.response;
      this.$emit({ status, errors, variables: error.request.variables }, { id: `error ${status}` });
      throw new Error(`GraphQL: ${errors?.[0]?.message ?? status}`);
    }
  },
};
