import { useEffect, useState } from "react";
import type { Client } from "../../../src/client/client.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import type { Ancestors } from "./ancestors.ts";

const NONE: Ancestors = { sessions: [], isCut: false };

export const useAncestors = (
  client: Pick<Client, "showSession">,
  { id, parent }: Pick<Session, "id" | "parent">,
): Ancestors => {
  const [told, setTold] = useState({ id, ancestors: NONE });
  const first = parent?.session_id;
  useEffect(() => {
    let isLeft = false;
    if (first !== undefined)
      void import("./read-ancestors.ts")
        .then(({ readAncestors }) => readAncestors(client, first))
        .then((ancestors) => {
          if (!isLeft) setTold({ id, ancestors });
        })
        // Without them the header says less, and nothing else is missing.
        .catch(() => undefined);
    return () => {
      isLeft = true;
    };
  }, [client, id, first]);
  return told.id === id ? told.ancestors : NONE;
};
