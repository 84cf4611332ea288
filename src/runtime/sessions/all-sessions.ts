import type { Session } from "../../contract/session/session.ts";
import type { SessionFilter, Store } from "../ports/store.ts";

const PAGE = 500;

/** Every session that fits, page by page. */
export async function* allSessions(
  store: Pick<Store, "sessions">,
  filter: Omit<SessionFilter, "limit" | "after"> = {},
): AsyncGenerator<Session> {
  let after: string | undefined;
  do {
    const page = await store.sessions({
      ...filter,
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    yield* page.sessions;
    after = page.next ?? undefined;
  } while (after !== undefined);
}
