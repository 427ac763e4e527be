import github from "./github.app.mjs";

export default {
  name: "New Issue",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    github,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    repo: "string",
  },
  methods: {
    emitIssue({ id, title, created_at }) {
      this.$emit({ id, title }, { id, summary: title, ts: Date.parse(created_at) });
    },
  },
  hooks: {
    async deploy() {
      const [owner, repo] = this.repo.split("/");
      for await (const { data, headers, status } of this.github.issuePages({ owner, repo, state: "all" })) {
        this.$emit({ count: data.length, status, link: Boolean(headers.link) }, { id: `page ${data[0].id}`, ts: 0 });
      }
    },
  },
  async run() {
    const [owner, repo] = this.repo.split("/");
    const issues = await this.github.allIssues({ owner, repo, since: this.db.get("since"), labels: "a b,c" });
    issues.forEach(this.emitIssue);
    this.db.set("since", issues.at(-1).created_at);
  },
};
