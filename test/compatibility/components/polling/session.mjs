import { Cookie, CookieJar } from "tough-cookie";
import normalizeUrl from "normalize-url";

export default {
  name: "Session",
  version: "0.0.1",
  props: { db: "$.service.db", timer: "$.interface.timer" },
  async run() {
    const saved = this.db.get("jar");
    const jar = saved ? CookieJar.deserializeSync(saved) : new CookieJar();
    const origin = normalizeUrl("HTTPS://Portal.example.com:443//login?b=2&a=1#top", { stripHash: true });
    const headers = { cookie: await jar.getCookieString(origin) };
    const response = await fetch(origin, { headers });
    for (const text of response.headers.getSetCookie()) await jar.setCookie(text, origin);
    const { key, value, path } = Cookie.parse("sid=42; Path=/; Secure");
    this.$emit({
      origin,
      cookie: await jar.getCookieString(origin),
      sent: headers.cookie,
      parsed: { key, value, path },
    });
    this.db.set(
      "jar",
      jar.serializeSync().cookies.map(({ key, value }) => ({ key, value })).length === 0
        ? null
        : { ...jar.serializeSync(), cookies: [] },
    );
  },
};
