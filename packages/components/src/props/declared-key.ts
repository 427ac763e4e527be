import { readRegular } from "@x/model";
import type { CodeInput } from "../contract.ts";

/** Guesses the key that the code of a component declares. Only for uses in which a wrong guess does no harm. */
export async function seemingKey(input: CodeInput): Promise<string | undefined> {
  const read = (file: string): Promise<string> => readRegular(file).then(String, () => "");
  const sent = "code" in input ? input.code : "entry" in input ? (input.files[input.entry] ?? "") : "";
  const text = "file" in input ? await read(input.file) : sent;
  return /\bkey:\s*(["'`])([\w.~-]+)\1/.exec(text)?.[2];
}
