const querystring = require("querystring");

module.exports = {
  type: "app",
  app: "forms",
  methods: {
    sign(fields) {
      return require("crypto").createHash("md5").update(querystring.stringify(fields)).digest("hex");
    },
    _url: (path) => new URL(path, "https://forms.example.com").href,
  },
};
