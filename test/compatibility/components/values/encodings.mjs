export default {
  name: "Encodings",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    const bytes = Buffer.from([255, 239, 190, 1, 195]);
    this.$emit(["base64url", "base64", "hex", "latin1", "utf8"].map((encoding) => bytes.toString(encoding)));
    this.$emit(["latin1Slice", "hexSlice", "base64urlSlice"].map((name) => bytes[name](1, 4)));
    this.$emit({ known: Buffer.isEncoding("base64url"), read: Buffer.from("_--_", "base64url").toString("hex") });
  },
};
