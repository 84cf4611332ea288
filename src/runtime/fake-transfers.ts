/** Files over the link, in memory. For tests of the runtime. */
import { TransferId } from "../contract/id.ts";
import { LinkError } from "../contract/link-error.ts";
import { ulid } from "../kit/data/ulid.ts";
import type { Transfers } from "./ports/executors.ts";

export class FakeTransfers implements Transfers {
  /** What is there. */
  readonly files = new Map<TransferId, Buffer>();

  async upload(
    content: AsyncIterable<string | Uint8Array>,
  ): Promise<TransferId> {
    const pieces: Buffer[] = [];
    for await (const piece of content) pieces.push(Buffer.from(piece));
    return this.keep(Buffer.concat(pieces));
  }

  async *download(transfer: TransferId): AsyncGenerator<Uint8Array> {
    yield this.read(transfer);
  }

  async release(transfers: readonly TransferId[]): Promise<void> {
    for (const transfer of transfers) this.files.delete(transfer);
  }

  keep(bytes: Buffer): TransferId {
    const transfer = TransferId.parse(`trf_${ulid(Date.now())}`);
    this.files.set(transfer, bytes);
    return transfer;
  }

  read(transfer: TransferId): Buffer {
    const bytes = this.files.get(transfer);
    if (bytes === undefined)
      throw new LinkError("unknown_transfer", `${transfer} is not here`);
    return bytes;
  }
}
