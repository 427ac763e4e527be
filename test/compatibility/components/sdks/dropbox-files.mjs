import { Dropbox } from "dropbox";

export default {
  name: "Dropbox files",
  version: "0.0.1",
  props: { db: "$.service.db", timer: "$.interface.timer" },
  async run() {
    const client = new Dropbox({ accessToken: "dt", fetch });
    const cursor = this.db.get("cursor");
    const { result } = cursor
      ? await client.filesListFolderContinue({ cursor })
      : await client.filesListFolder({ path: "/ü", recursive: true });
    for (const { id, name } of result.entries) this.$emit({ id, name }, { id });
    this.db.set("cursor", result.cursor);
    this.$emit(
      await client
        .filesGetMetadata({ path: "/none" })
        .catch(({ name, status, error }) => ({ name, status, summary: error.error_summary })),
    );
  },
};
