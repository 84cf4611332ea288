import { CLIENT_METHODS } from "@agentclientprotocol/sdk";
import * as z from "zod";
import type { Setup, Step } from "../driver.ts";
import type { Said } from "./message.ts";
import { send, settling, settlingOf } from "./outgoing.ts";
import type { AcpState, OpeningPhase, Settling } from "./state.ts";

/**
 * What an agent replays when it loads a session. The server has all of it already: it is counted and dropped.
 *
 * Some agents answer a load first and replay on, into the turn that comes next. Nothing in their words tells an old one
 * from a new one, so no prompt is sent before they are through. A question that every agent refuses is asked again and
 * again: while it replays, words come between question and answer. When none came in two rounds, it is through. No clock
 * is asked, so the same bytes always mean the same.
 */
const QUIET_ROUNDS = 2;

export const settle = (
  setup: Setup,
  state: AcpState,
  opening: OpeningPhase,
): Step<AcpState> => ask(setup, state, opening, 1, 0);

/** Null when it is through. */
export const interpretSettling = (
  setup: Setup,
  state: AcpState,
  phase: Settling,
  said: Said,
  what: string | null,
): Step<AcpState> | null => {
  const { opening, round, quiet } = phase;
  if (isUpdate(said)) {
    const counted = countReplay(opening, said);
    const stirred: Settling = { ...phase, opening: counted, quiet: -1 };
    return { state: { ...state, phase: stirred }, effects: [] };
  }
  if (what !== settlingOf(round)) return { state, effects: [] };
  if (quiet + 1 >= QUIET_ROUNDS) return null;
  return ask(setup, state, opening, round + 1, quiet + 1);
};

const ask = (
  setup: Setup,
  state: AcpState,
  opening: OpeningPhase,
  round: number,
  quiet: number,
): Step<AcpState> => ({
  state: { ...state, phase: { kind: "settling", opening, round, quiet } },
  effects: [send(settling(setup, round))],
});

/** Chunks that share a message id are one message; without ids each is one. */
export const countReplay = (phase: OpeningPhase, said: Said): OpeningPhase => {
  if (!isUpdate(said)) return phase;
  const update = UserChunk.safeParse(said.params).data?.update;
  if (update === undefined) return { ...phase, replaying: null };
  const id = update.messageId ?? null;
  const same = id !== null && id === phase.replaying;
  return {
    ...phase,
    replayed: phase.replayed + (same ? 0 : 1),
    replaying: id,
  };
};

const isUpdate = (
  said: Said,
): said is Extract<Said, { kind: "notification" }> =>
  said.kind === "notification" && said.method === CLIENT_METHODS.session_update;

const UserChunk = z.object({
  update: z.object({
    sessionUpdate: z.literal("user_message_chunk"),
    messageId: z.string().nullish(),
  }),
});
