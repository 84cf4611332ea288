/** Loaded for forks alone. */
import type { Client } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import type { Ancestors } from "./ancestors.ts";

/** More are not asked for. */
const MAX_ANCESTORS = 8;

export const readAncestors = async (
  client: Pick<Client, "showSession">,
  first: string,
): Promise<Ancestors> => {
  const sessions: Session[] = [];
  try {
    for (
      let next: string | undefined = first;
      next !== undefined && sessions.length < MAX_ANCESTORS;
      next = sessions.at(-1)?.parent?.session_id
    )
      sessions.push(await client.showSession(next));
    return { sessions, isCut: false };
  } catch (error) {
    const isCut =
      error instanceof RepriseError && error.code === "session_not_found";
    return { sessions, isCut };
  }
};
