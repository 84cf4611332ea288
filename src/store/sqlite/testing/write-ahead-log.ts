import { readFileSync } from "node:fs";

const HEADER = 32;
const FRAME_HEADER = 24;

/** How many commits lie in the log since it was last begun: the frames that end a transaction say how large the database is. */
export const commitsInLog = (database: string): number => {
  const log = readFileSync(`${database}-wal`);
  const pageSize = log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  let commits = 0;
  for (
    let at = HEADER;
    at + FRAME_HEADER + pageSize <= log.length;
    at += FRAME_HEADER + pageSize
  ) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
};
