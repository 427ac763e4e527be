import { postJson, postText, type Scenario, tick } from "../scenario.ts";

const mail = [
  "From: Zoë <zoe@example.com>",
  "To: in@example.com",
  "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=",
  "Message-ID: <1@example.com>",
  'Content-Type: multipart/mixed; boundary="b1"',
  "",
  "--b1",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Hällo",
  "--b1",
  'Content-Type: text/plain; name="a.txt"',
  'Content-Disposition: attachment; filename="a.txt"',
  "Content-Transfer-Encoding: base64",
  "",
  "aW4gaXQ=",
  "--b1--",
  "",
].join("\r\n");

const soap = (items: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="x"><s:Body><ListResponse>${items}</ListResponse></s:Body></s:Envelope>`;

/** Documents, dates and values: what is read, checked, shown and compared. */
export const checks: readonly Scenario[] = [
  {
    title: "YAML is read and written by two packages",
    component: "parsing/documents.mjs",
    packages: ["yaml", "js-yaml"],
    steps: [postText("a: &x [1, two, ü]\nb: *x\nc: 2026-01-01\nd: |\n  text\n  more\n", "text/yaml")],
  },
  {
    title: "a table is read with its types and written again",
    component: "parsing/tables.mjs",
    packages: ["papaparse"],
    steps: [tick],
    upstream: () => ({ body: 'id,name,ok\n1,"Zoë, Z",true\n\n2,b\n' }),
  },
  {
    title: "a SOAP service is asked and its answer read",
    component: "parsing/soap.mjs",
    packages: ["xml2js", "xmlbuilder2"],
    headers: ["soapaction"],
    steps: [tick],
    upstream: () => ({ body: soap("<Item><id>1</id><n>ü &amp; b</n></Item><Item><id>2</id></Item>") }),
  },
  {
    title: "Markdown becomes HTML, is cleaned, and becomes Markdown",
    component: "parsing/markdown.mjs",
    packages: ["marked", "sanitize-html", "turndown"],
    steps: [postJson({ text: "# Tü\n\n*a* [link](https://a.example) <script>x</script>\n\n- 1\n- 2\n" })],
  },
  {
    title: "templates of texts and addresses",
    component: "parsing/templates.mjs",
    packages: ["handlebars", "mustache", "url-template"],
    steps: [postJson({ name: "Zoë <z>", items: ["a", "b c"] })],
  },
  {
    title: "an inbound mail is read, and one is made",
    component: "parsing/inbound-mail.mjs",
    packages: ["mailparser", "nodemailer"],
    steps: [postJson({ raw: mail })],
  },
  {
    title: "orders are checked by schemas",
    component: "checks/schemas.mjs",
    packages: ["zod", "ajv"],
    steps: [
      postJson({ id: "7", at: "2026-01-01T00:00:00Z", lines: [{ sku: "ab" }] }),
      postJson({ id: "x", lines: [] }),
      postJson({ at: "no date", lines: [{ sku: "a" }] }),
    ],
  },
  {
    title: "contacts are normalised, compared and searched",
    component: "checks/contacts.mjs",
    packages: ["libphonenumber-js", "fast-deep-equal", "fuse.js", "validator"],
    steps: [0, 1].map((each) =>
      postJson({
        contacts: [
          { id: "a", mail: "Zoe.Z+x@Gmail.com", phone: "030 123456" },
          { id: "b", mail: "none", phone: each === 0 ? "+1 213 373 4253" : "12" },
        ],
      }),
    ),
  },
  {
    title: "times in zones, and business days",
    component: "dates/zoned.mjs",
    packages: ["date-fns", "date-fns-tz"],
    steps: [tick],
  },
  {
    title: "recurring dates",
    component: "dates/recurring.mjs",
    packages: ["rrule"],
    steps: [tick],
  },
  {
    title: "dates in words",
    component: "dates/spoken.mjs",
    packages: ["chrono-node", "ms"],
    steps: [postJson({ texts: ["tomorrow at 5pm", "last Friday", "on March 3rd", "nothing here", "2 weeks ago"] })],
  },
  {
    title: "dates, lists and numbers as people write them",
    component: "dates/shown.mjs",
    packages: [],
    steps: [tick],
  },
  {
    title: "amounts, groups, versions and streams of values",
    component: "values/numbers.mjs",
    packages: ["bignumber.js", "decimal.js", "semver", "lodash-es", "ramda", "rxjs"],
    steps: [
      postJson({
        lines: [
          { sku: "b", price: "0.1", count: 3, tax: "7" },
          { sku: "a", price: "19.99", count: 2, tax: "7" },
          { sku: "c", price: "1e-3", count: 1, tax: "19" },
        ],
      }),
    ],
  },
  {
    title: "texts are compared, encoded and listed",
    component: "values/compared.mjs",
    packages: ["diff", "iconv-lite", "json2csv", "ulid"],
    steps: [postJson({ text: "one\ntwo\n" }), postJson({ text: "one\n2 ü\nthree\n" })],
  },
];
