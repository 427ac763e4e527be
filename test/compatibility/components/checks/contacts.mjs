import { parsePhoneNumberFromString } from "libphonenumber-js";
import diff from "fast-deep-equal";
import Fuse from "fuse.js";
import validator from "validator";

export default {
  name: "Contacts",
  version: "0.0.1",
  props: { db: "$.service.db", http: "$.interface.http" },
  run({ body }) {
    const known = this.db.get("known") ?? {};
    for (const contact of body.contacts) {
      const phone = parsePhoneNumberFromString(contact.phone, "DE");
      const made = {
        mail: validator.normalizeEmail(contact.mail),
        valid: validator.isEmail(contact.mail),
        phone: phone?.formatInternational() ?? null,
        country: phone?.country ?? null,
      };
      if (!diff(known[contact.id], made)) this.$emit({ id: contact.id, ...made });
      known[contact.id] = made;
    }
    this.db.set("known", known);
    this.$emit(
      new Fuse(body.contacts, { keys: ["mail"], includeScore: false }).search("zoe").map(({ refIndex }) => refIndex),
    );
  },
};
