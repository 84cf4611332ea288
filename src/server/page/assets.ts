import { readFile } from "node:fs/promises";
import type { ReadHeader } from "../ask/read-header.ts";
import { type Encoding, type PageFile, pathOf } from "./built-page.ts";

/** A file of the page, compressed where the browser takes it. */
export const answerFile = async (
  file: PageFile,
  header: ReadHeader,
): Promise<Response> => {
  const headers: Record<string, string> = {
    "cache-control": file.isHashed
      ? "public, max-age=31536000, immutable"
      : "no-cache",
    etag: file.etag,
    vary: "accept-encoding",
  };
  if (header("if-none-match") === file.etag)
    return new Response(null, { status: 304, headers });
  const encoding = chosenEncoding(file, header("accept-encoding") ?? "");
  const bytes = await readFile(pathOf(file, encoding));
  return new Response(bytes, {
    headers: {
      ...headers,
      "content-type": file.type,
      "content-length": String(bytes.length),
      ...(encoding === null ? {} : { "content-encoding": encoding }),
    },
  });
};

const chosenEncoding = (file: PageFile, accepted: string): Encoding | null => {
  const names = accepted
    .toLowerCase()
    .split(",")
    .map((each) => each.split(";").map((part) => part.trim()))
    .filter(
      ([, quality]) => quality === undefined || !/^q=0(\.0*)?$/.test(quality),
    )
    .map(([name]) => name);
  for (const encoding of ["br", "gzip"] as const)
    if (file.encodings.has(encoding) && names.includes(encoding))
      return encoding;
  return null;
};
