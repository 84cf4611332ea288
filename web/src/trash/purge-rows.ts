/** Deletes rows of the trash for good, one after the other. */
import type { Client } from "../../../src/client/client.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
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

/**
 * Tells of each page when it is over. What was refused is tried again as long as others go: a session may have to wait for
 * another one that works in its directory.
 */
export const purgeRows = async (
  client: PurgeClient,
  rows: readonly TrashRow[],
  onPage: (progress: PurgeProgress) => void,
): Promise<void> => {
  const refused: TrashRow[] = [];
  for (let from = 0; from < rows.length; from += PAGE) {
    const gone: string[] = [];
    const failed = new Map<string, string>();
    for (const row of rows.slice(from, from + PAGE))
      try {
        await purgeRow(client, row);
        gone.push(row.id);
      } catch (error) {
        failed.set(row.id, refusalWords(error));
        refused.push(row);
      }
    onPage({ gone, failed });
  }
  if (refused.length < rows.length) await purgeRows(client, refused, onPage);
};

const purgeRow = async (
  client: PurgeClient,
  { kind, id }: TrashRow,
): Promise<void> => {
  try {
    await (kind === "session" ? client.purgeSession(id) : client.purgeTask(id));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
};

const isGone = (error: unknown): boolean =>
  error instanceof RepriseError &&
  (error.code === "session_not_found" || error.code === "task_not_found");
