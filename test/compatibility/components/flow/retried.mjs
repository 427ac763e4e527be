import retry from "async-retry";

export default {
  name: "Retried",
  version: "0.0.1",
  props: { db: "$.service.db" },
  async run() {
    const tried = [];
    const item = await retry(
      async (bail, attempt) => {
        tried.push(attempt);
        const answer = await fetch("https://api.example.com/item");
        if (answer.status === 403) return bail(new Error("Forbidden"));
        if (!answer.ok) throw new Error(`Status ${answer.status}`);
        return answer.json();
      },
      { retries: 4, minTimeout: 1, maxTimeout: 5, onRetry: (error) => tried.push(error.message) },
    );
    this.db.set("tried", tried);
    this.$emit(item);
  },
};
