/** What every store must do, run on each of them. */
import { describe } from "node:test";
import type { Store } from "../runtime/ports/store.ts";
import { attentionRules } from "./conformance/attention.ts";
import { checkpointRules } from "./conformance/checkpoints.ts";
import { fencingRules } from "./conformance/fencing.ts";
import { journalRules } from "./conformance/journal.ts";
import { listingRules } from "./conformance/listing.ts";
import { messageStartRules } from "./conformance/message-starts.ts";
import { recordRules } from "./conformance/record.ts";
import type { StoreTest } from "./conformance/rule.ts";

/** `open` gives an empty store each time and closes and removes it with the test. */
export const storeConformance = (
  name: string,
  open: (t: StoreTest) => Promise<Store>,
): void => {
  void describe(`store conformance: ${name}`, () => {
    journalRules(open);
    fencingRules(open);
    messageStartRules(open);
    recordRules(open);
    listingRules(open);
    checkpointRules(open);
    attentionRules(open);
  });
};
