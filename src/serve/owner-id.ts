import { join } from "node:path";
import { OwnerId } from "../contract/base/id.ts";
import { OWNER_FILE } from "../contract/link/link.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { loadOrMakeId } from "../kit/files/own-id.ts";
import { ulid } from "../kit/data/ulid.ts";
import { isUnusable } from "../kit/files/unusable-file.ts";

/** The id that a home has for good: agentctls know by it whose orders they are given. The caller holds the home. */
export const loadOrMakeOwnerId = (home: string): Promise<OwnerId> =>
  loadOrMakeId(
    join(home, OWNER_FILE),
    (text) => OwnerId.safeParse(text).data ?? null,
    () => OwnerId.parse(`own_${ulid(Date.now())}`),
  ).catch((error: unknown) => {
    throw isUnusable(error, "is_directory")
      ? new RepriseError("home_unusable", error.message, { cause: error })
      : error;
  });
