const axios = require("axios");
const get = require("lodash.get");
const forms = require("./forms.app.cjs");

module.exports = {
  name: "Submission",
  version: "0.1.0",
  dedupe: "unique",
  props: { forms, db: "$.service.db", http: { type: "$.interface.http", customResponse: true } },
  async run(event) {
    const fields = Object.fromEntries(new URLSearchParams(event.body));
    const { data } = await axios.post(
      this.forms._url("/confirm"),
      require("querystring").stringify({ ...fields, sign: this.forms.sign(fields) }),
    );
    this.http.respond({ status: 303, headers: { location: get(data, "links.next", "/") } });
    this.$emit({ fields, confirmed: get(data, "ok") }, { id: fields.id, summary: `${fields.name}` });
  },
};
