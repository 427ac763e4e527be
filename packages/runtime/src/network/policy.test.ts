import { describe, expect, it } from "vitest";

import type { NetworkOptions } from "../api/options.ts";
import { parsePolicy } from "./policy.ts";

const urlRule = (options: NetworkOptions, url: string): string | undefined =>
  parsePolicy(options).forbiddenUrl(new URL(url));
const addressRule = (options: NetworkOptions, address: string, host = "example.com"): string | undefined =>
  parsePolicy(options).forbiddenAddress(address, host);

describe("URLs", () => {
  it("refuses every spelling of a loopback address", () => {
    for (const url of [
      "http://127.0.0.1/",
      "http://127.0.0.1:8080/",
      "https://127.255.255.254/",
      "http://127.1/",
      "http://127.0.1/",
      "http://2130706433/",
      "http://0x7f000001/",
      "http://0x7f.0.0.1/",
      "http://0x7f.1/",
      "http://017700000001/",
      "http://0177.0.0.1/",
      "http://0177.0.0x0.1/",
      "http://00000177.1/",
      "http://127.0.0.1./",
      "http://0/",
      "http://0.0.0.0/",
      "http://[::1]/",
      "http://[0:0:0:0:0:0:0:1]/",
      "http://[::]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:7f00:1]/",
      "http://[0:0:0:0:0:ffff:127.0.0.1]/",
      "http://[::127.0.0.1]/",
      "http://[::ffff:0:127.0.0.1]/",
      "http://[64:ff9b::127.0.0.1]/",
      "http://[2002:7f00:1::]/",
      "http://localhost/",
      "http://LOCALHOST/",
      "http://localhost./",
      "http://a.localhost/",
      "http://a.b.LocalHost./",
      "http://loc%61lhost/",
      "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
      "http://loc\u00adalhost/",
      "http://①②⑦.⓪.⓪.①/",
      "http://127。0。0。1/",
      "http://１２７.0.0.1/",
      "http://%31%32%37.0.0.1/",
      "http://example.com@127.0.0.1/",
      "http://example.com:80@127.0.0.1/",
      "http://example.com%2f@127.0.0.1/",
      "http://127.0.0.1\\@example.com/",
      "http://127.0.0.1:80\\@example.com/",
      "http:127.0.0.1/",
      "http:\\\\127.0.0.1/",
      "http:///127.0.0.1/",
      "ht\ntp://127.\t0.0.1/",
      "http://127.0.0.1#@example.com/",
      "http://127.0.0.1?@example.com/",
    ]) {
      expect([url, urlRule({}, url)]).toEqual([url, expect.stringMatching(/denied/)]);
    }
  });

  it("refuses every protocol but http and https", () => {
    for (const url of [
      "file:///etc/passwd",
      "ftp://example.com/",
      "data:,x",
      "ws://example.com/",
      "javascript:0",
      "blob:http://example.com/x",
      "unix:/run/x.sock",
    ]) {
      expect([url, urlRule({ mode: "allow-private" }, url)]).toEqual([url, "only http and https are allowed"]);
    }
  });

  it("allows public hosts on any port", () => {
    for (const url of [
      "http://example.com/",
      "https://example.com:8443/",
      "http://8.8.8.8:1/",
      "https://[2606:4700::1111]/",
      "http://localhost.example.com/",
      "http://notlocalhost/",
    ]) {
      expect([url, urlRule({}, url)]).toEqual([url, undefined]);
    }
  });

  it("allows private addresses with allow-private, and nothing with none", () => {
    for (const url of ["http://localhost:3000/", "http://10.0.0.1/", "http://[::1]/"]) {
      expect(urlRule({ mode: "allow-private" }, url)).toBeUndefined();
      expect(urlRule({ mode: "none" }, url)).toBe("the network is off");
    }
    expect(urlRule({ mode: "none", allow: ["example.com"] }, "http://example.com/")).toBe("the network is off");
  });
});

describe("addresses", () => {
  it("refuses every address that is not public", () => {
    for (const address of [
      "0.0.0.0",
      "0.1.2.3",
      "10.0.0.1",
      "100.64.0.1",
      "100.100.100.200",
      "127.0.0.1",
      "168.63.129.16",
      "169.254.169.254",
      "172.16.0.1",
      "172.31.255.255",
      "192.0.0.192",
      "192.0.2.1",
      "192.88.99.1",
      "192.168.1.1",
      "198.18.0.1",
      "198.51.100.1",
      "203.0.113.1",
      "224.0.0.1",
      "240.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "::2",
      "::10.0.0.1",
      "::ffff:10.0.0.1",
      "::ffff:169.254.169.254",
      "::ffff:168.63.129.16",
      "::ffff:0:8.8.8.8",
      "64:ff9b::10.0.0.1",
      "64:ff9b::a9fe:a9fe",
      "64:ff9b:1::808:808",
      "100::1",
      "2001::1",
      "2001:db8::1",
      "2002:808:808::1",
      "3fff::1",
      "4000::1",
      "5f00::1",
      "fc00::1",
      "fd00:ec2::254",
      "fe80::1",
      "fe80::1%eth0",
      "fec0::1",
      "ff02::1",
    ]) {
      expect([address, addressRule({}, address)]).toEqual([address, expect.stringMatching(/ addresses are denied$/)]);
    }
  });

  it("allows public addresses, also in NAT64 form", () => {
    for (const address of [
      "8.8.8.8",
      "172.32.0.1",
      "100.128.0.1",
      "2606:4700::1111",
      "2a00:1450::1",
      "::ffff:8.8.8.8",
      "64:ff9b::808:808",
    ]) {
      expect([address, addressRule({}, address)]).toEqual([address, undefined]);
    }
  });

  it("refuses texts that are not addresses", () => {
    for (const address of ["", "example.com", "127.1", "0x7f.0.0.1", "1.2.3", "::g"]) {
      expect(addressRule({ mode: "allow-private" }, address)).toBe("it is not an address");
    }
  });
});

describe("lists", () => {
  it("allow nothing but the listed hosts, suffixes, addresses and networks", () => {
    const options: NetworkOptions = {
      allow: ["api.example.com", "*.example.org", "9.9.9.9", "8.8.8.0/24", "2606::/16"],
    };
    for (const url of [
      "http://api.example.com/",
      "http://API.example.com./",
      "http://a.b.example.org/",
      "http://9.9.9.9/",
      "http://8.8.8.8/",
      "http://[::ffff:8.8.8.8]/",
      "http://[2606:4700::1111]/",
    ]) {
      expect([url, urlRule(options, url)]).toEqual([url, undefined]);
    }
    expect(urlRule(options, "http://1.1.1.1/")).toBe("it is not on the allow list");
    // The name is not listed, but one of its addresses may be.
    expect(urlRule(options, "http://other.example/")).toBeUndefined();
    expect(addressRule(options, "8.8.8.9", "other.example")).toBeUndefined();
    expect(addressRule(options, "1.1.1.1", "other.example")).toBe("it is not on the allow list");
    expect(addressRule(options, "1.1.1.1", "api.example.com.")).toBeUndefined();
    expect(urlRule({ allow: ["*.example.org"] }, "http://example.org/")).toBe("it is not on the allow list");
    expect(urlRule({ allow: ["*.example.org"] }, "http://evilexample.org/")).toBe("it is not on the allow list");
    expect(urlRule({ allow: [] }, "http://example.org/")).toBe("it is not on the allow list");
  });

  it("do not allow private addresses", () => {
    expect(urlRule({ allow: ["10.0.0.1", "localhost"] }, "http://10.0.0.1/")).toContain("denied");
    expect(urlRule({ allow: ["10.0.0.1", "localhost"] }, "http://localhost/")).toContain("denied");
    expect(urlRule({ mode: "allow-private", allow: ["10.0.0.0/8"] }, "http://10.0.0.1/")).toBeUndefined();
  });

  it("deny before they allow, in every form of an address", () => {
    const options: NetworkOptions = {
      mode: "allow-private",
      allow: ["*.example.org", "10.0.0.0/8"],
      deny: ["bad.example.org", "10.9.0.0/16", "*.evil.example.org"],
    };
    for (const url of [
      "http://bad.example.org/",
      "http://BAD.example.org./",
      "http://x.evil.example.org/",
      "http://10.9.1.1/",
      "http://[::ffff:10.9.1.1]/",
      "http://[2002:a09:101::]/",
      "http://[64:ff9b::a09:101]/",
    ]) {
      expect([url, urlRule(options, url)]).toEqual([url, "it is on the deny list"]);
    }
    expect(addressRule(options, "10.9.0.1", "good.example.org")).toBe("it is on the deny list");
    expect(addressRule(options, "10.8.0.1", "good.example.org")).toBeUndefined();
  });

  it("refuse entries that are not a host, suffix, address or CIDR", () => {
    for (const entry of [
      "",
      "*",
      "*.*",
      "a.*.b",
      "http://example.com",
      "example.com:80",
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "::/129",
      "a b",
      "user@host",
      "a/b",
    ]) {
      expect(() => parsePolicy({ allow: [entry] })).toThrow("network.allow");
      expect(() => parsePolicy({ deny: [entry] })).toThrow("network.deny");
    }
  });
});
