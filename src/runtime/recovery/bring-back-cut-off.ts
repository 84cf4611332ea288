import type { SessionId } from "../../contract/base/id.ts";
import type { AgentSessionDeps } from "../callers/agent-session.ts";
import type { Engine } from "../sessions/session-journal.ts";
import { lookIfThere } from "../places/look.ts";
import type { Places } from "../places/places.ts";

interface Parts extends AgentSessionDeps {
  engine: Engine;
  places: Places;
}

/** A turn was cut off: once its execution is concluded, the agent is brought back. */
export const bringBackCutOff = async (
  parts: Parts,
  session: SessionId,
  signal: AbortSignal,
): Promise<void> => {
  const { engine } = parts;
  await engine.until(
    session,
    ({ execution, lifecycle }) =>
      execution === null || lifecycle.name !== "RUNNING",
    signal,
  );
  const state = await engine.state(session);
  if (state.lifecycle.name !== "WAITING_FOR_INPUT") return;
  const report = await lookIfThere(parts, state);
  await engine.issueIf(
    session,
    ({ lifecycle }) => lifecycle.name === "WAITING_FOR_INPUT",
    { type: "session.resume", trigger: "startup", report },
  );
};
