import base from "./common/base.mjs";

export default {
  ...base,
  key: "contacts-new-contact",
  name: "New Contact",
  version: "0.1.0",
  type: "source",
  dedupe: "unique",
  hooks: {
    async deploy() {
      const sample = [];
      for await (const contact of this.contacts.contacts({ listId: this.listId, order: "desc" })) {
        sample.push(contact);
        if (sample.length === 3) break;
      }
      sample.reverse().forEach(this.emitEvent);
    },
  },
  methods: {
    ...base.methods,
    generateMeta({ id, name, created }) {
      return { id, summary: `New contact ${name}`, ts: Date.parse(created) };
    },
  },
  async run() {
    const since = this.getLast();
    let last = since;
    for await (const contact of this.contacts.contacts({ listId: this.listId, since })) {
      last = Math.max(last, Date.parse(contact.created));
      this.emitEvent(contact);
    }
    this.setLast(last);
  },
};
