import { useEffect, useState } from "react";
import type { Client } from "../../../src/client/client.ts";
import type { Directories } from "../../../src/contract/session/directories.ts";

/** So long nothing is typed before the server is asked. */
const QUIET_MS = 80;

export interface FoundDirectories {
  /** What was answered last. Null: nothing yet, or a refusal. */
  found: Directories | null;
  /** Why there are none; null where the server answered. */
  refusal: string | null;
}

const NOTHING: FoundDirectories = { found: null, refusal: null };

/** Directories of the server's machine whose paths begin as this one. Null, or no whole path: none. */
export const useDirectories = (
  client: Pick<Client, "listDirectories">,
  path: string | null,
): FoundDirectories => {
  const [answer, setAnswer] = useState(NOTHING);
  useEffect(() => {
    if (path === null || !path.startsWith("/")) {
      setAnswer(NOTHING);
      return;
    }
    const leaving = new AbortController();
    const { signal } = leaving;
    const timer = setTimeout(() => {
      client
        .listDirectories({ path }, { signal })
        .then(
          (found) => ({ found, refusal: null }),
          (error: unknown) => ({
            found: null,
            refusal: error instanceof Error ? error.message : "",
          }),
        )
        .then((answer) => {
          if (!signal.aborted) setAnswer(answer);
        })
        .catch(() => undefined);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, path]);
  return answer;
};
