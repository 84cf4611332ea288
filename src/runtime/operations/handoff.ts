import type { AgentDefinition } from "../../contract/agent.ts";
import type { SessionId } from "../../contract/id.ts";
import type { HandoffRequest } from "../../contract/request.ts";
import { Session } from "../../contract/session.ts";
import { viewOf } from "../../session/view.ts";
import type { Kept } from "../once.ts";
import { findAgent, presumed } from "./find-agent.ts";
import type { House } from "./house.ts";
import { askSession } from "./session-wish.ts";
import { afterCapture, hasStopped, settled } from "./settled.ts";

export const handoffOperations = (house: House) => ({
  handOffSession: (session: SessionId, request: HandoffRequest, key?: string) =>
    askSession(house, {
      session,
      key,
      request: { operation: "handoff", ...request },
      answer: Session,
      begin: (kept) => handOff(house, session, request, kept),
      finish: async () =>
        viewOf(await settled(house, session, "Handing off", hasStopped)),
    }),
});

/** Another agent goes on: it starts with the next prompt, and is told the history. */
const handOff = async (
  house: House,
  session: SessionId,
  { agent: wanted }: HandoffRequest,
  kept: Kept,
): Promise<void> => {
  const { engine, places, overrides } = house;
  const { definition, executor, cwd } = await engine.state(session);
  const place = await places.obtain(executor);
  const agent = await findAgent(house, place, { agent: wanted, cwd });
  await afterCapture(house, session);
  await engine.issue(
    session,
    {
      type: "session.handoff",
      definition: {
        ...withoutOwnWords(definition),
        agent: wanted,
        home: overrides[wanted]?.home ?? definition.home,
      },
      abilities: presumed(agent),
    },
    kept,
  );
};

/** Names of models and modes, and settings, mean something to the agent they were chosen for only. */
const withoutOwnWords = ({
  model: _model,
  mode: _mode,
  settings: _settings,
  ...rest
}: AgentDefinition): AgentDefinition => rest;
