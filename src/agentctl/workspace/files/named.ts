import {
  toText,
  type ByteString,
} from "../../../checkpoint/format/byte-string.ts";

/** Bytes as text, and as they are where they are not text. */
export const named = <K extends string>(
  key: K,
  bytes: ByteString,
): { [N in K]: string } & { [N in `${K}_bytes`]?: string } => {
  const text = toText(bytes);
  const fields: Record<string, string> = { [key]: text };
  if (/\p{Surrogate}/u.test(text))
    fields[`${key}_bytes`] = Buffer.from(bytes, "latin1").toString("base64");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of these keys, three lines above
  return fields as { [N in K]: string } & { [N in `${K}_bytes`]?: string };
};
