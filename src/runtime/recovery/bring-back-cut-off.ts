import type { SessionId } from "../../contract/base/id.ts";
import { lookIfThere } from "../places/look.ts";
import type { RecoveryDeps } from "./recovery-deps.ts";

/** A turn was cut off: once its execution is concluded, the agent is brought back. */
export const bringBackCutOff = async (
  deps: RecoveryDeps,
  session: SessionId,
): Promise<void> => {
  const { engine, closing } = deps;
  await engine.until(
    session,
    ({ execution, lifecycle }) =>
      execution === null || lifecycle.name !== "RUNNING",
    closing,
  );
  const state = await engine.state(session);
  if (state.lifecycle.name !== "WAITING_FOR_INPUT") return;
  const report = await lookIfThere(deps, state);
  await engine.issueIf(
    session,
    ({ lifecycle }) => lifecycle.name === "WAITING_FOR_INPUT",
    { type: "session.resume", trigger: "startup", report },
  );
};
