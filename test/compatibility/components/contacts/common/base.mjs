import contacts from "../contacts.app.mjs";

export default {
  props: {
    contacts,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 * 15 } },
    listId: { propDefinition: [contacts, "listId"], description: "Where to look" },
  },
  methods: {
    getLast() {
      return this.db.get("last") ?? 0;
    },
    setLast(last) {
      this.db.set("last", last);
    },
    emitEvent(contact) {
      this.$emit(contact, this.generateMeta(contact));
    },
    generateMeta() {
      throw new Error("A component with this base must define generateMeta");
    },
  },
};
