import { useEffect, useState } from "react";
import type { Client } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { RepriseError } from "../../../src/contract/problem/problem.ts";

/** The sessions that one was forked from, the nearest first, as far as they are known. */
export interface Ancestors {
  sessions: readonly Session[];
  /** The next one was removed for good. */
  isCut: boolean;
}

/** More are not asked for. */
const MAX_ANCESTORS = 8;
const NONE: Ancestors = { sessions: [], isCut: false };

export const useAncestors = (
  client: Pick<Client, "showSession">,
  { id, parent }: Pick<Session, "id" | "parent">,
): Ancestors => {
  const [told, setTold] = useState({ id, ancestors: NONE });
  const first = parent?.session_id;
  useEffect(() => {
    let isLeft = false;
    const read = async (): Promise<void> => {
      const sessions: Session[] = [];
      let isCut = false;
      try {
        for (
          let next = first;
          next !== undefined && sessions.length < MAX_ANCESTORS;
          next = sessions.at(-1)?.parent?.session_id
        )
          sessions.push(await client.showSession(next));
      } catch (error) {
        isCut =
          error instanceof RepriseError && error.code === "session_not_found";
      }
      if (!isLeft) setTold({ id, ancestors: { sessions, isCut } });
    };
    if (first !== undefined) void read();
    return () => {
      isLeft = true;
    };
  }, [client, id, first]);
  return told.id === id ? told.ancestors : NONE;
};
