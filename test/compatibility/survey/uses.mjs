/** What components do first with packages: constructions and calls that need no network. Each gives something to compare. */

const keysOf = (value) => Object.keys(value).sort();
const methodsOf = (value) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(value))
    .filter((name) => !name.startsWith("_"))
    .sort();
const credentials = { accessKeyId: "AKIA0", secretAccessKey: "secret" };
const address = "https://service.example";

const awsClient =
  (name) =>
  async ({ [name]: Client }) => {
    const client = new Client({ region: "eu-west-1", credentials });
    const { hostname } = (await client.config.endpoint?.()) ?? {};
    return [await client.config.region(), hostname ?? null, await client.config.credentials().then(keysOf)];
  };
const googleApi =
  (name, version) =>
  ({ [name]: api, auth }) => [keysOf(api({ version, auth: "key" })), keysOf(new auth.OAuth2("id", "secret"))];
const lodashMethod =
  (...given) =>
  ({ default: method }) =>
    method(...given);

export const uses = {
  "@aws-sdk/client-ec2": awsClient("EC2Client"),
  "@aws-sdk/client-s3": awsClient("S3Client"),
  "@aws-sdk/client-sns": awsClient("SNSClient"),
  "@aws-sdk/client-cloudwatch-logs": awsClient("CloudWatchLogsClient"),
  "@aws-sdk/client-iam": awsClient("IAMClient"),
  "@aws-sdk/client-sfn": awsClient("SFNClient"),
  "@aws-sdk/client-dynamodb-streams": awsClient("DynamoDBStreamsClient"),
  "@aws-sdk/client-ses": awsClient("SESClient"),
  "@aws-sdk/client-sts": awsClient("STSClient"),
  "@bandwidth/messaging": ({ Client, ApiController }) =>
    methodsOf(new ApiController(new Client({ basicAuthUserName: "u", basicAuthPassword: "p" }))),
  "@google-cloud/bigquery": ({ BigQuery }) => new BigQuery({ projectId: "p" }).dataset("d").table("t").id,
  "@google-cloud/bigquery-data-transfer": ({ v1 }) =>
    methodsOf(new v1.DataTransferServiceClient({ projectId: "p", fallback: true })),
  "@google-cloud/compute": ({ InstancesClient }) => methodsOf(new InstancesClient({ projectId: "p" })),
  "@google-cloud/logging": ({ Logging }) => new Logging({ projectId: "p" }).sink("s").name,
  "@google-cloud/pubsub": ({ PubSub }) => new PubSub({ projectId: "p" }).topic("t").name,
  "@google-cloud/storage": ({ Storage }) => new Storage({ projectId: "p" }).bucket("b").file("f").cloudStorageURI.href,
  "@googleapis/admin": googleApi("admin", "directory_v1"),
  "@googleapis/analyticsreporting": googleApi("analyticsreporting", "v4"),
  "@googleapis/calendar": googleApi("calendar", "v3"),
  "@googleapis/drive": googleApi("drive", "v3"),
  "@googleapis/gmail": googleApi("gmail", "v1"),
  "@googleapis/sheets": googleApi("sheets", "v4"),
  "@googleapis/youtube": googleApi("youtube", "v3"),
  "@kontent-ai/delivery-sdk": ({ createDeliveryClient }) =>
    createDeliveryClient({ environmentId: "e" }).items().equalsFilter("a", "b").getUrl(),
  "@kontent-ai/management-sdk": ({ ManagementClient, createManagementClient }) =>
    (createManagementClient?.({ environmentId: "e", apiKey: "k" }) ?? new ManagementClient({ environmentId: "e" }))
      .listLanguages()
      .getUrl?.() ?? null,
  "@kontent-ai/webhook-helper": ({ signatureHelper }) => signatureHelper.getHashFromString("body", "secret"),
  "@line/bot-sdk": ({ validateSignature, messagingApi }) => [
    validateSignature("body", "secret", "s"),
    methodsOf(new messagingApi.MessagingApiClient({ channelAccessToken: "t" })),
  ],
  "@linear/sdk": ({ LinearClient }) => keysOf(new LinearClient({ apiKey: "k" })),
  "@mailchimp/mailchimp_marketing": ({ default: mailchimp }) => {
    mailchimp.setConfig({ apiKey: "k-us1", server: "us1" });
    return keysOf(mailchimp);
  },
  "@memberstack/admin": ({ default: memberstack }) => keysOf(memberstack.init("sk_test")),
  "@microsoft/microsoft-graph-client": ({ Client }) =>
    keysOf(Client.init({ authProvider: (done) => done(null, "t") }).api("/me")),
  "@notionhq/client": ({ Client }) => keysOf(new Client({ auth: "t" })),
  "@octokit/core": ({ Octokit }) => new Octokit({ auth: "t" }).request.endpoint("GET /repos/{o}", { o: "x" }).url,
  "@octokit/plugin-paginate-rest": ({ composePaginateRest, paginateRest }) => [
    typeof paginateRest,
    keysOf(composePaginateRest),
  ],
  "@onfleet/node-onfleet": ({ default: Onfleet }) => keysOf(new Onfleet("key")),
  "@sendgrid/client": ({ default: client }) => {
    client.setApiKey("SG.k");
    return client.createHeaders({ a: "b" });
  },
  "@sendgrid/eventwebhook": ({ EventWebhook, EventWebhookHeader }) => [
    keysOf(EventWebhookHeader),
    methodsOf(new EventWebhook()),
  ],
  "@slack/web-api": ({ WebClient }) => keysOf(new WebClient("xoxb").chat),
  "@supabase/supabase-js": ({ createClient }) => createClient(address, "key").from("t").select("a").url.href,
  "@woocommerce/woocommerce-rest-api": ({ default: given }) => {
    const Api = given.default ?? given;
    return methodsOf(new Api({ url: address, consumerKey: "k", consumerSecret: "s", version: "wc/v3" }));
  },
  airtable: ({ default: Airtable }) => keysOf(new Airtable({ apiKey: "k" }).base("b")("t")),
  "async-retry": ({ default: retry }) => {
    let tries = 0;
    const attempt = () => ((tries += 1) < 3 ? Promise.reject(new Error("no")) : tries);
    return retry(attempt, { minTimeout: 1, maxTimeout: 1 });
  },
  axios: ({ default: axios }) => axios.create({ baseURL: address }).getUri({ url: "/a", params: { b: [1, 2] } }),
  bottleneck: ({ default: Bottleneck }) => new Bottleneck({ minTime: 1 }).schedule(() => Promise.resolve(1)),
  chargebee: ({ default: Chargebee }) => methodsOf(new Chargebee({ site: "s", apiKey: "k" })),
  "cron-parser": ({ CronExpressionParser }) =>
    CronExpressionParser.parse("0 9 * * 1", { currentDate: "2026-01-01T00:00:00Z", tz: "UTC" }).next().toISOString(),
  "crypto-js": ({ default: crypto }) => crypto.HmacSHA256("body", "secret").toString(),
  "date-fns": ({ format, addDays, formatDistance }) => [
    format(addDays(new Date(2026, 0, 30), 3), "PPPP"),
    formatDistance(0, 90_000_000),
  ],
  dateformat: ({ default: format }) => format(new Date(0), "UTC:yyyy-mm-dd HH:MM"),
  dayjs: ({ default: dayjs }) => dayjs("2026-01-30T10:00:00Z").add(1, "month").toISOString(),
  dropbox: ({ Dropbox }) => methodsOf(new Dropbox({ accessToken: "t" })),
  "fast-xml-parser": ({ XMLParser }) => new XMLParser().parse("<a><b>1</b><b>2</b></a>"),
  faunadb: ({ default: faunadb }) => {
    const { Client, query } = faunadb;
    return [typeof new Client({ secret: "s" }).query, JSON.stringify(query.Get(query.Ref("a")))];
  },
  feedparser: ({ default: FeedParser }) => typeof new FeedParser({}).write,
  "firebase-admin": ({ default: admin }) => keysOf(admin.initializeApp({ projectId: "p" })),
  "form-data": async ({ default: FormData }) => {
    const form = new FormData();
    form.append("file", Buffer.from("abc"), { filename: "a.txt" });
    form.append("field", "value");
    const { "content-type": type } = form.getHeaders();
    return [type.replace(/=.*/, ""), form.getBuffer().toString().replaceAll(form.getBoundary(), "BOUNDARY")];
  },
  "google-auth-library": ({ JWT, OAuth2Client }) => [
    keysOf(new JWT({ email: "e", scopes: ["s"] })),
    new OAuth2Client("id", "secret", address).generateAuthUrl({ scope: "a" }),
  ],
  googleapis: ({ google }) => [
    keysOf(google.gmail({ version: "v1", auth: "key" })),
    keysOf(new google.auth.OAuth2("id", "secret")),
  ],
  graphql: ({ parse, print }) => print(parse("{ a(b: 1) { c } }")),
  "graphql-request": ({ GraphQLClient, gql }) => [
    keysOf(new GraphQLClient(address)),
    gql`
      {
        a
      }
    `,
  ],
  he: ({ default: he }) => [he.decode("&auml;&#x26;"), he.encode("ä<")],
  "html-to-text": ({ convert }) => convert("<h1>Head</h1><p>Text <a href='https://a.example'>link</a></p>"),
  imap: ({ default: Imap }) => keysOf(new Imap({ user: "u", password: "p", host: "h.example" })),
  inflection: ({ default: inflection, pluralize }) => (pluralize ?? inflection.pluralize)("person"),
  "js-base64": ({ Base64 }) => Base64.encode("äöü"),
  jsonwebtoken: ({ default: jwt }) => {
    const token = jwt.sign({ a: 1, iat: 1 }, "secret");
    return [token, jwt.verify(token, "secret")];
  },
  "jwt-simple": ({ default: jwt }) => jwt.decode(jwt.encode({ a: 1 }, "secret"), "secret"),
  lodash: ({ default: _ }) => [
    _.chunk([1, 2, 3], 2),
    _.template("<%= a %>")({ a: 1 }),
    _.get({ a: [{ b: 1 }] }, "a[0].b"),
  ],
  "lodash-es": ({ chunk, merge }) => [chunk([1, 2, 3], 2), merge({ a: { b: 1 } }, { a: { c: 2 } })],
  "lodash.differenceby": lodashMethod([2.1, 1.2], [2.3], Math.floor),
  "lodash.flatmap": lodashMethod([1, 2], (each) => [each, each]),
  "lodash.get": lodashMethod({ a: [{ b: 1 }] }, "a[0].b"),
  "lodash.isempty": lodashMethod({}),
  "lodash.map": lodashMethod([{ a: 1 }], "a"),
  "lodash.maxby": lodashMethod([{ a: 1 }, { a: 2 }], "a"),
  "lodash.sortby": lodashMethod([{ a: 2 }, { a: 1 }], "a"),
  "lodash.template": ({ default: template }) => template("<%= a %>-${a}")({ a: 1 }),
  "lodash.topath": lodashMethod("a[0].b"),
  "lodash.uniqby": lodashMethod([1.1, 1.2, 2], Math.floor),
  luxon: ({ DateTime }) => DateTime.fromISO("2026-01-30T10:00:00Z", { zone: "Europe/Berlin" }).toISO(),
  mailersend: ({ MailerSend }) => keysOf(new MailerSend({ apiKey: "k" })),
  "mailgun.js": ({ default: Mailgun }) => keysOf(new Mailgun(FormData).client({ username: "api", key: "k" })),
  mailparser: async ({ simpleParser }) => {
    const { subject, text, from } = await simpleParser("From: A <a@b.example>\r\nSubject: Hi\r\n\r\nText\r\n");
    return [subject, text, from.text];
  },
  md5: ({ default: md5 }) => md5("text"),
  mime: ({ default: mime }) => [mime.getType("a.png"), mime.getExtension("text/html")],
  "mime-types": ({ default: mime }) => [mime.lookup("a.png"), mime.contentType("a.html")],
  moment: ({ default: moment }) => moment.utc(0).add(1, "month").format("LLLL"),
  "moment-timezone": ({ default: moment }) => moment.tz("2026-07-01T10:00", "America/New_York").utc().format(),
  "monday-sdk-js": ({ default: given }) => keysOf((given.default ?? given)()),
  mongodb: ({ MongoClient, ObjectId }) => [
    new MongoClient("mongodb://h.example/db").db().databaseName,
    new ObjectId("507f1f77bcf86cd799439011").toHexString(),
  ],
  mssql: ({ default: mssql }) => typeof new mssql.ConnectionPool({ server: "h.example", user: "u" }).connect,
  mysql2: ({ default: mysql }) => [
    mysql.format("? ?? ?", [1, "a", "b'c"]),
    typeof mysql.createPool({ host: "h" }).query,
  ],
  nanoid: ({ customAlphabet, nanoid }) => [nanoid().length, customAlphabet("a", 5)()],
  netlify: ({ NetlifyAPI, default: given }) => typeof new (NetlifyAPI ?? given)("t").listSites,
  "node-fetch": ({ Headers, Request }) => [new Headers({ A: "b" }).get("a"), new Request(address).url],
  "node-forge": ({ default: forge }) => forge.md.sha256.create().update("text").digest().toHex(),
  "node-mailjet": ({ default: given }) => keysOf((given.default ?? given).apiConnect("k", "s")),
  "node-telegram-bot-api": ({ Bot }) => methodsOf(new Bot("1:t")),
  nodemailer: async ({ default: nodemailer }) => {
    const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
    const mail = {
      from: "a@b.example",
      to: "c@d.example",
      subject: "ä",
      text: "t",
      messageId: "<m>",
      date: new Date(0),
    };
    return (await transport.sendMail(mail)).message.toString();
  },
  "oauth-1.0a": ({ default: OAuth }) => {
    const oauth = new OAuth({ consumer: { key: "k", secret: "s" }, hash_function: (base, key) => base.length + key });
    oauth.getNonce = () => "n";
    oauth.getTimeStamp = () => 1;
    return oauth.toHeader(oauth.authorize({ url: address, method: "GET" }));
  },
  "object-hash": ({ default: hash }) => hash({ b: 1, a: [new Date(0)] }),
  "parse-link-header": ({ default: parse }) => parse('<https://a.example/?page=2>; rel="next"'),
  "pcloud-sdk-js": ({ default: pcloud }) => keysOf(pcloud.createClient("token")),
  pg: ({ default: pg }) => typeof new pg.Client({ host: "h.example" }).query,
  "pg-format": ({ default: format }) => format("select %I from t where a = %L", "Ab", "c'd"),
  pipedrive: ({ default: given, ...all }) => {
    const { v1 = given?.v1 } = all;
    return keysOf(new v1.Configuration({ apiKey: "k" }));
  },
  plivo: ({ Client }) => keysOf(new Client("id", "token")),
  qs: ({ default: qs }) => [qs.stringify({ a: { b: [1, 2] } }), qs.parse("a[b][]=1&a[b][]=2")],
  "query-string": ({ default: query }) => query.stringify({ b: [1, 2], a: null }),
  recurly: ({ default: recurly }) => typeof new recurly.Client("k").listAccounts,
  "rhea-promise": ({ Connection }) => typeof new Connection({ host: "h.example", port: 5672 }).open,
  "rss-parser": ({ default: Parser }) =>
    new Parser().parseString(
      "<rss version='2.0'><channel><title>T</title><item><title>I</title></item></channel></rss>",
    ),
  "salesforce-webhooks": ({ default: { SalesforceClient } }) =>
    methodsOf(new SalesforceClient({ authToken: "t", instance: "i", apiVersion: "50.0" })),
  "shopify-api-node": ({ default: Shopify }) => {
    const shopify = new Shopify({ shopName: "s", accessToken: "t" });
    return [typeof shopify.order.list, shopify.baseUrl];
  },
  slugify: ({ default: slugify }) => slugify("Ä b & c"),
  "snowflake-sdk": ({ default: snowflake }) =>
    typeof snowflake.createConnection({ account: "a", username: "u", password: "p" }).connect,
  "ssh2-sftp-client": ({ default: Client }) => typeof new Client().connect,
  stripe: ({ default: Stripe }) => {
    const stripe = new Stripe("sk_test");
    const header = stripe.webhooks.generateTestHeaderString({ payload: "{}", secret: "s", timestamp: 4e9 });
    return stripe.webhooks.constructEvent("{}", header, "s");
  },
  twilio: ({ default: twilio }) => {
    const client = twilio("AC00000000000000000000000000000000", "t");
    return [typeof client.messages.create, twilio.validateRequest("t", "s", address, {})];
  },
  uuid: ({ v5, validate, v4 }) => [v5("a", v5.URL), validate(v4())],
  uuidv4: ({ uuid }) => uuid().length,
  "webflow-api": ({ WebflowClient }) => methodsOf(new WebflowClient({ accessToken: "t" })),
  "woodpecker-api": ({ default: given }) => typeof given,
  "xml-js": ({ default: xml }) => xml.xml2js("<a b='1'>t</a>", { compact: true }),
  "xml2json-light": ({ default: xml }) => xml.xml2json("<a><b>1</b></a>"),
  ynab: ({ default: given, API = given?.API }) => keysOf(new API("t")),
};
