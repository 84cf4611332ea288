import { watchIdentities } from "../../../kit/files/file-identity.ts";
import { refuseDisplaced } from "../../displaced.ts";
import { refuseTerm, type Refusal } from "../../refusal.ts";
import type { Request } from "../../../kit/worker-rpc/messages.ts";
import { type Answer, failed } from "../base/calls.ts";
import type { Writes } from "./writes.ts";

type WriteRequest = Request<Writes>;
type Commit = (requests: readonly WriteRequest[]) => readonly Answer[];

/**
 * Commits only into the files that are at these paths now. An open file can be written long after its name is gone, and
 * what was acknowledged would be gone with it. Looked at before a group, so that nothing is written in vain, and after
 * its commit, so that an acknowledgement always follows a look: what it acknowledges was at its path by then.
 */
export const inPlace = (
  commit: Commit,
  paths: readonly string[],
  currentTerm: () => number,
): Commit => {
  const displaced = watchIdentities(paths);
  const refusal = (): Refusal | null => {
    const found = displaced();
    return found === null ? null : refuseDisplaced(found);
  };
  /** Where another server has taken over, that is what to say: it may have put its lock in the place of ours. */
  const refuseAll = (
    requests: readonly WriteRequest[],
    refused: Refusal,
  ): Answer[] => {
    const current = currentTerm();
    return requests.map(({ id, kind, query }) =>
      failed(
        id,
        (kind === "claim" ? null : refuseTerm(query.term, current)) ?? refused,
      ),
    );
  };
  return (requests) => {
    const before = refusal();
    if (before !== null) return refuseAll(requests, before);
    const answers = commit(requests);
    const after = refusal();
    return after === null
      ? answers
      : requests.map(({ id }) => failed(id, after));
  };
};
