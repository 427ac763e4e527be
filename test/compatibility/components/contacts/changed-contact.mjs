import base from "./common/base.mjs";

/** Changes get an id of their own; an error of the API ends the run. */
export default {
  ...base,
  name: "Changed Contact",
  version: "0.1.0",
  dedupe: "unique",
  methods: {
    ...base.methods,
    generateMeta: ({ id, changed }) => ({ id: `${id}-${changed}`, summary: `Changed: ${id}`, ts: changed }),
  },
  async run() {
    const { listId, contacts } = this;
    try {
      for await (const contact of contacts.contacts({ listId, changed_since: this.getLast() })) this.emitEvent(contact);
    } catch (error) {
      const { response, code, config, isAxiosError } = error;
      this.setLast({ code, isAxiosError, url: config.url, status: response?.status, data: response?.data });
      throw new Error(`Contacts answered ${response.status} ${response.statusText}: ${response.data.message}`);
    }
  },
};
