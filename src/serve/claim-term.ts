import { join } from "node:path";
import { TERM_LIMIT, termIn } from "../contract/link/link.ts";
import { RepriseError } from "../contract/problem/problem.ts";
import { readIfThere } from "../kit/files/durable-file.ts";
import type { Store } from "../runtime/ports/store.ts";

/**
 * The term of a server that holds its home. The one that agentctl has seen may be higher than the database's, which
 * somebody has brought back from a copy: the server comes after both.
 */
export const claimTerm = async (
  store: Pick<Store, "claim">,
  home: string,
): Promise<number> => {
  const file = join(home, "agentctl", "term");
  const seen = termIn(await readIfThere(file));
  const term = await store.claim();
  if (seen < term) return term;
  if (seen < TERM_LIMIT) return store.claim(seen);
  throw new RepriseError(
    "home_unusable",
    `${file} is damaged: it holds the number ${seen}, and no home has had so many starts of a server. Remove the file, then start again: the database knows the right number.`,
  );
};
