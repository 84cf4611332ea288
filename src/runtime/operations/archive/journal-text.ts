import { MAX_JOURNAL_BYTES } from "../../../contract/session/archive.ts";
import { RepriseError } from "../../../contract/problem/problem.ts";

/** Documents as lines. What nobody would take in again is not written. */
export async function* journalText(
  documents: AsyncIterable<unknown>,
  maxBytes = MAX_JOURNAL_BYTES,
): AsyncGenerator<string> {
  let bytes = 0;
  for await (const document of documents) {
    const line = `${JSON.stringify(document)}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes > maxBytes)
      throw new RepriseError(
        "not_supported",
        `The journal of this session is larger than ${maxBytes} bytes, which is the most that an import takes: the file would be of no use. Fork the session and export the fork.`,
      );
    yield line;
  }
}
