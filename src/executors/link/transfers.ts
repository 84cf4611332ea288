/** Files that go over the link, as the runtime sees them. */
import { TransferId } from "../../contract/base/id.ts";
import { MAX_PIECE } from "../../contract/link/stream.ts";
import { ulid } from "../../kit/data/ulid.ts";
import type { Transfers } from "../../runtime/ports/executors.ts";
import { StreamAborted } from "../../streams/byte-stream.ts";
import type { DataLink } from "./data-link.ts";
import type { Link } from "./link.ts";
import { refused } from "./refused-stream.ts";

/** How often in a row a download goes on over a new connection without a byte of it coming. */
const MAX_RESUMES = 3;

export const transfersOver = (
  link: Pick<Link, "call">,
  data: DataLink,
): Transfers => ({
  upload: (content) => upload(data, content),
  download: (transfer) => download(data, transfer),
  release: async (transfers) =>
    void (await link.call("release", { transfers: [...transfers] })),
});

const upload = async (
  data: DataLink,
  content: AsyncIterable<string | Uint8Array>,
): Promise<TransferId> => {
  const transfer = TransferId.parse(`trf_${ulid(Date.now())}`);
  const stream = await data.open("upload", { transfer }).catch(refused);
  try {
    for await (const piece of inPieces(content)) await stream.push(piece);
    await stream.finish();
    await stream.untilOver();
    return transfer;
  } catch (error) {
    stream.abort("cancelled", "it does not come to its end");
    return refused(error);
  }
};

async function* download(
  data: DataLink,
  transfer: TransferId,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let resumes = 0; ; resumes++)
    try {
      const stream = await data.open("download", { transfer }, at);
      await stream.finish();
      for await (const piece of stream) {
        at += piece.length;
        resumes = 0;
        yield piece;
      }
      return;
    } catch (error) {
      const isCut =
        error instanceof StreamAborted && error.code === "connection_lost";
      if (!isCut || !data.isLinkOpen() || resumes >= MAX_RESUMES)
        return refused(error);
    }
}

/** Small pieces together: each goes in a frame of its own. */
async function* inPieces(
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let small: Uint8Array[] = [];
  let length = 0;
  for await (const given of content) {
    const piece = typeof given === "string" ? Buffer.from(given) : given;
    if (length === 0 && piece.length >= MAX_PIECE / 2) {
      yield piece;
      continue;
    }
    small.push(piece);
    length += piece.length;
    if (length < MAX_PIECE) continue;
    yield Buffer.concat(small);
    small = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(small);
}
