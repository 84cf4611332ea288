/** Deletes rows of the trash for good, one after the other. */
import type { Client } from "../../../src/client/client.ts";
import { purgeInTurn } from "../../../src/client/purge.ts";
import { refusalWords } from "../words/refusal-words.ts";
import type { TrashRow } from "./trash-rows.ts";

/** After so many it is told how far it is. */
const PAGE = 20;

export type PurgeClient = Pick<Client, "purgeSession" | "purgeTask">;

export interface PurgeProgress {
  /** Ids of what is not there any more. */
  gone: readonly string[];
  /** Why others are, by their ids. */
  failed: ReadonlyMap<string, string>;
}

/** Tells of each page when it is over. */
export const purgeRows = async (
  client: PurgeClient,
  rows: readonly TrashRow[],
  onPage: (progress: PurgeProgress) => void,
): Promise<void> => {
  let gone: string[] = [];
  let failed = new Map<string, string>();
  let tried = 0;
  const tell = (): void => {
    onPage({ gone, failed });
    gone = [];
    failed = new Map();
  };
  const purge = ({ kind, id }: TrashRow) =>
    kind === "session" ? client.purgeSession(id) : client.purgeTask(id);
  for await (const { item, refusal } of purgeInTurn(rows, purge)) {
    if (refusal === null) {
      gone.push(item.id);
      failed.delete(item.id);
    } else failed.set(item.id, refusalWords(refusal));
    tried += 1;
    if (tried % PAGE === 0) tell();
  }
  if (tried % PAGE !== 0) tell();
};
