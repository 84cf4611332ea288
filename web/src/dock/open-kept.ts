import { KeptAttachments } from "./kept-attachments.ts";
import { keptDatabase } from "./kept-database.ts";

export const openKept = (now: () => number): KeptAttachments =>
  new KeptAttachments(
    keptDatabase(() => indexedDB),
    now,
  );
