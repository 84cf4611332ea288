import { watchIdentities } from "../../kit/file-identity.ts";
import { refuseDisplaced } from "../displaced.ts";
import type { Refusal } from "../refusal.ts";
import { type Answer, failed, type Request } from "./calls.ts";
import type { Writes } from "./writes.ts";

type Commit = (requests: readonly Request<Writes>[]) => readonly Answer[];

/**
 * Commits only into the files that are at these paths now. An open file can be written long after its name is gone, and
 * what was acknowledged would be gone with it. Looked at before a group, so that nothing is written in vain, and after
 * its commit, so that an acknowledgement always follows a look: what it acknowledges was at its path by then.
 */
export const inPlace = (commit: Commit, paths: readonly string[]): Commit => {
  const displaced = watchIdentities(paths);
  const refusal = (): Refusal | null => {
    const found = displaced();
    return found === null ? null : refuseDisplaced(found);
  };
  return (requests) => {
    const before = refusal();
    const answers = before === null ? commit(requests) : [];
    const refused = before ?? refusal();
    return refused === null
      ? answers
      : requests.map(({ id }) => failed(id, refused));
  };
};
