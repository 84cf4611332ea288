import type { TransferId } from "../../../contract/base/id.ts";
import type { Log } from "../../ports/home.ts";
import type { Place } from "../../ports/executors.ts";

/** Removes files that went over the link. What is not removed now is removed with the link. */
export const release = (
  { log }: { log: Log },
  { transfers }: Place,
  sent: readonly { transfer: TransferId }[],
): Promise<void> =>
  transfers
    .release(sent.map(({ transfer }) => transfer))
    .catch((error: unknown) =>
      log.warn({ err: error }, "files are left until the link is closed"),
    );
