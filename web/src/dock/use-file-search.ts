import { useEffect, useState } from "react";
import type { Client } from "../../../src/client/client.ts";

/** So long nothing is typed before the server is asked. */
const QUIET_MS = 80;
const MAX_FILES = 20;

export interface FileSearch {
  /** What was asked last, while the next answer is awaited. */
  paths: readonly string[];
  isLooking: boolean;
  /** Why there are none; null where the server answered. */
  refusal: string | null;
}

const NOTHING: FileSearch = { paths: [], isLooking: false, refusal: null };

/** Files of a session's workspace by their names. Null or nothing typed: none. */
export const useFileSearch = (
  client: Pick<Client, "searchFiles"> | null,
  session: string | null,
  query: string | null,
): FileSearch => {
  const wanted = query?.trim() ?? "";
  const [found, setFound] = useState<FileSearch>(NOTHING);
  useEffect(() => {
    if (client === null || session === null || wanted === "") {
      setFound(NOTHING);
      return;
    }
    const leaving = new AbortController();
    const { signal } = leaving;
    setFound(({ paths }) => ({ paths, isLooking: true, refusal: null }));
    const timer = setTimeout(() => {
      client
        .searchFiles(session, wanted, { names: true, limit: MAX_FILES, signal })
        .then(
          ({ matches }) => ({
            // A name that is no text cannot be written into a prompt.
            paths: matches
              .filter(({ path_bytes }) => path_bytes === undefined)
              .map(({ path }) => path),
            isLooking: false,
            refusal: null,
          }),
          (error: unknown) => ({
            ...NOTHING,
            refusal: error instanceof Error ? error.message : "",
          }),
        )
        .then((answer) => {
          if (!signal.aborted) setFound(answer);
        })
        .catch(() => undefined);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, session, wanted]);
  return found;
};
