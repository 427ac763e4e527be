/** An app whose methods are passed around as values. */
export default {
  type: "app",
  app: "acme",
  propDefinitions: { list: { type: "string", label: "List", optional: true } },
  methods: {
    _headers() {
      return { authorization: `Bearer ${this.$auth.token}` };
    },
    async items(list) {
      const answer = await fetch(`https://api.example.com/${list}`, { headers: this._headers() });
      return answer.json();
    },
    deploy() {
      return "a method, not a hook";
    },
  },
};
