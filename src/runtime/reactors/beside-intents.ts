/**
 * Work that goes on beside the intents of a session or a task. Its intent counts as done once the work has begun, so the
 * intent runner does not learn what came of it: what passes is tried again here.
 */
import { unreachable } from "../../kit/unreachable.ts";
import { failureKind } from "../failures/failure-kind.ts";
import type { ReactorDeps } from "./reactor-deps.ts";

const AGAIN_MS = 1000;

interface Work {
  /** Both for the log: whose work it is, and what it was. */
  of: object;
  failed: string;
  run: () => Promise<void>;
  again: () => void;
}

export const runBeside = async (
  { later, log }: Pick<ReactorDeps, "later" | "log">,
  { of, failed, run, again }: Work,
): Promise<void> => {
  try {
    await run();
  } catch (error) {
    const kind = failureKind(error);
    switch (kind) {
      case "passing":
        return later.after(AGAIN_MS, again);
      case "left":
      case "refused":
        // Somebody else has decided about it meanwhile.
        return;
      case "damaged":
      case "fault":
        return log.error({ ...of, err: error }, failed);
      default:
        return unreachable(kind);
    }
  }
};
