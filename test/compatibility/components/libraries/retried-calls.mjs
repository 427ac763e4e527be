import retry from "async-retry";
import axios from "axios";

/** Tries again what may work later, and gives up on what cannot. */
export default {
  name: "Retried calls",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  methods: {
    isTransient(error) {
      return [429, 500, 502, 503].includes(error?.response?.status);
    },
    withRetries(call) {
      const tries = [];
      return retry(
        async (bail, attempt) => {
          try {
            return { data: (await call()).data, attempt, tries };
          } catch (error) {
            if (!this.isTransient(error))
              return bail(new Error(`Unexpected error: ${error.response?.status ?? error.message}`));
            throw error;
          }
        },
        {
          retries: 3,
          minTimeout: 5,
          maxTimeout: 20,
          factor: 1,
          randomize: false,
          onRetry: (error) => tries.push(error.response.status),
        },
      );
    },
  },
  async run() {
    const { data, attempt, tries } = await this.withRetries(() => axios.get("https://flaky.example.com/list"));
    data.forEach((each) => this.$emit({ ...each, attempt, tries }, { id: each.id }));
    this.db.set("attempts", attempt);
  },
};
