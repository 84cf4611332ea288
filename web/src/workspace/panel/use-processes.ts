import { useRef } from "react";
import type { WorkspaceClient } from "../workspace-client.ts";
import { type Loaded, useLoaded } from "../../kit/use-loaded.ts";
import {
  processLines,
  type ProcessLine,
  type Sample,
} from "./process-words.ts";

const EVERY_MS = 3_000;

/** What runs for a session, looked at every few seconds. Null: nobody looks. */
export const useProcesses = (
  sessionId: string | null,
  client: Pick<WorkspaceClient, "listProcesses">,
): Loaded<readonly ProcessLine[]> => {
  const before = useRef<Sample | null>(null);
  return useLoaded(
    sessionId,
    async () => {
      const { processes } = await client.listProcesses(sessionId ?? "");
      const now = { at: performance.now(), processes };
      const lines = processLines(now, before.current);
      before.current = now;
      return lines;
    },
    { everyMs: EVERY_MS },
  );
};
