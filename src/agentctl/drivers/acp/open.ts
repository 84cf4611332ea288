import * as z from "zod";
import { AUTH_REQUIRED } from "../../../agents/agent/acp-error.ts";
import { AgentToken } from "../../../contract/agent/agent.ts";
import { limitsTools } from "../../../contract/agent/briefing.ts";
import { nothingOffered } from "../../../contract/agent/offered.ts";
import { bounded, offeredIn } from "../../../contract/agent/offered-words.ts";
import { openingOf, type Opening } from "../../../contract/agent/opening.ts";
import type { ByteRange, StartFailure } from "../../../contract/link/report.ts";
import {
  explainRestriction,
  type Restriction,
} from "../../../contract/agent/restriction.ts";
import type { Effect, Outgoing, Ready, Setup, Step } from "../driver.ts";
import { afterAnswer, changesFor, isStopped, notOffered } from "./configure.ts";
import { helloOf } from "./hello.ts";
import { describeError, type RpcError, type Said, whatOf } from "./message.ts";
import { nativeSession, newSession, prompt, send } from "./outgoing.ts";
import { countReplay, interpretSettling, settle } from "./replay.ts";
import { inForce, unheld } from "./restrict.ts";
import type {
  AcpState,
  Configuring,
  Hello,
  How,
  OpeningPhase,
} from "./state.ts";

/** The way from the first answer to an open session. A native session that cannot be had gives way to a new one, so the agent stays usable, and `ready` says why. */
export const interpretOpening = (
  setup: Setup,
  state: AcpState,
  said: Said,
  range: ByteRange,
): Step<AcpState> => {
  const { phase } = state;
  const what =
    said.kind === "answer" || said.kind === "refusal" ? whatOf(said.id) : null;
  if (phase.kind === "initializing" && what === "initialize")
    return afterInitialize(setup, state, said);
  if (phase.kind === "opening" && what === phase.how)
    return afterOpening(setup, state, phase, said, range);
  if (phase.kind === "opening" && phase.how === "load")
    return {
      state: { ...state, phase: countReplay(phase, said) },
      effects: [],
    };
  if (phase.kind === "settling") {
    const step = interpretSettling(setup, state, phase, said, what);
    return step ?? afterReplay(setup, state, phase.opening, range);
  }
  if (phase.kind === "configuring" && what === phase.left[0]?.key)
    return afterChange(setup, state, phase, said, range);
  return { state, effects: [] };
};

const afterInitialize = (
  setup: Setup,
  state: AcpState,
  said: Said,
): Step<AcpState> => {
  if (said.kind === "refusal") return refuse(state, said.error);
  const hello =
    said.kind === "answer"
      ? helloOf(said.result, setup.agent)
      : { refused: "The agent did not answer initialize" };
  if ("refused" in hello)
    return fail(state, "wrong_protocol_version", hello.refused);
  const opening = planOf(setup, hello);
  return opening.kind === "new"
    ? startNew(setup, state, hello, opening.failed)
    : askFor(
        state,
        opening.by,
        hello,
        null,
        nativeSession(setup, hello.abilities, opening.by, opening.token),
      );
};

/** The server's decision, with what only the handshake tells. */
const planOf = ({ open }: Setup, { abilities }: Hello): Opening =>
  open.kind === "new"
    ? { kind: "new", failed: open.failed ?? null }
    : openingOf({ ...open, abilities });

const afterOpening = (
  setup: Setup,
  state: AcpState,
  phase: OpeningPhase,
  said: Said,
  range: ByteRange,
): Step<AcpState> => {
  if (said.kind !== "answer") {
    const error =
      said.kind === "refusal" ? said.error : { code: 0, message: "no answer" };
    if (phase.how === "new") return refuse(state, error);
    return startNew(setup, state, phase.hello, {
      reason: setup.agent.isUnknownSession(error)
        ? "unknown_session"
        : "agent_error",
      message: describeError(error),
    });
  }
  const answered = { ...phase, offer: offeredIn(said.result) };
  if (phase.how === "load" && setup.agent.replayTrails === true)
    return settle(setup, state, answered);
  const session_id =
    phase.how === "new"
      ? NewSession.safeParse(said.result).data?.sessionId
      : undefined;
  return afterReplay(setup, state, answered, range, session_id);
};

/** Whatever belongs to opening the session has been read. */
const afterReplay = (
  setup: Setup,
  state: AcpState,
  phase: OpeningPhase,
  range: ByteRange,
  made?: string,
): Step<AcpState> => {
  // The history goes into a session that holds nothing, never on top of one that may hold it.
  if (phase.how !== "new" && !isVerified(setup, phase))
    return startNew(setup, state, phase.hello, {
      reason: "not_verified",
      message: "the agent's own session could not be verified",
    });
  const session_id =
    setup.open.kind === "native" && phase.how !== "new"
      ? setup.open.token
      : made;
  if (session_id === undefined)
    return fail(
      state,
      "agent_error",
      "The agent's answer to session/new has no sessionId, or one that is too long",
    );
  const ready: Omit<Ready, "range"> = {
    kind: "ready",
    native_session_id: session_id,
    ...phase.hello,
    opened: opened[phase.how],
    verified: phase.how !== "new",
    ...(phase.how === "load" && { forgotten: forgottenIn(setup, phase) }),
    failed: phase.failed,
  };
  const offer = phase.offer ?? nothingOffered;
  const plan = changesFor(setup, session_id, offer);
  if (isStopped(plan)) return restrict(state, plan.restriction);
  const { changes: left, notices } = plan;
  const configuring = { kind: "configuring", ready, notices } as const;
  return configure(setup, state, { ...configuring, left, offer }, range);
};

const afterChange = (
  setup: Setup,
  state: AcpState,
  { left: [change, ...left], ...phase }: Configuring,
  said: Said,
  range: ByteRange,
): Step<AcpState> => {
  if (change === undefined)
    return configure(setup, state, { ...phase, left }, range);
  const after = afterAnswer(setup, change, phase.offer, said);
  if (isStopped(after)) return restrict(state, after.restriction);
  const { offer } = after;
  const notices = [...phase.notices, ...after.notices];
  return configure(setup, state, { ...phase, left, offer, notices }, range);
};

const configure = (
  setup: Setup,
  state: AcpState,
  phase: Configuring,
  range: ByteRange,
): Step<AcpState> => {
  const [next] = phase.left;
  if (next === undefined) return open(setup, state, phase, range);
  const missing = notOffered(next, phase.offer);
  return missing === null
    ? { state: { ...state, phase }, effects: [send(next.message)] }
    : restrict(state, missing);
};

const opened = { new: "new", resume: "resumed", load: "loaded" } as const;

const NewSession = z.object({ sessionId: AgentToken });

/** A successful answer proves nothing: the agent's file must be the recorded one, and a replay must hold what we remember. */
const isVerified = (setup: Setup, phase: OpeningPhase): boolean => {
  if (setup.open.kind !== "native" || phase.how === "new") return false;
  const { transcript, turns, cut = 0 } = setup.open;
  // What was cut off may not have been written down; a session without any words is never the one that we remember.
  const plausible = phase.replayed >= Math.max(turns - cut, Math.min(turns, 1));
  return phase.how === "load" ? plausible : transcript === "intact";
};

const forgottenIn = ({ open }: Setup, { replayed }: OpeningPhase): number =>
  open.kind === "native" ? Math.max(open.turns - replayed, 0) : 0;

/** The same text as `definitionOf` sends. */
const addedPrompt = (
  { briefing, definition, agent }: Setup,
  { abilities }: Pick<Ready, "abilities">,
): Pick<Ready, "system_prompt"> =>
  abilities.system_prompt !== true || briefing === null
    ? {}
    : {
        system_prompt: {
          text: briefing,
          restrictions: agent.keepsLimits !== true && limitsTools(definition),
        },
      };

const open = (
  setup: Setup,
  state: AcpState,
  { ready, notices, offer }: Configuring,
  range: ByteRange,
): Step<AcpState> => {
  const restriction = unheld(setup, offer);
  if (restriction !== null) return restrict(state, restriction);
  const session_id = ready.native_session_id ?? "";
  const applied = inForce(setup, offer);
  const effects: Effect[] = [
    {
      kind: "opened",
      ready: {
        ...ready,
        applied,
        offered: bounded(offer),
        ...addedPrompt(setup, ready),
        range,
      },
    },
    ...notices,
  ];
  for (const { prompt_id, content } of state.waiting)
    effects.push(send(prompt(setup, session_id, prompt_id, content)));
  return {
    state: {
      ...state,
      phase: { kind: "open", session_id, abilities: ready.abilities },
      waiting: [],
      running: state.waiting.map(({ prompt_id }) => prompt_id),
    },
    effects,
  };
};

const startNew = (
  setup: Setup,
  state: AcpState,
  hello: Hello,
  failed: Ready["failed"],
): Step<AcpState> =>
  askFor(state, "new", hello, failed, newSession(setup, hello.abilities));

const askFor = (
  state: AcpState,
  how: How,
  hello: Hello,
  failed: Ready["failed"],
  message: Outgoing,
): Step<AcpState> => ({
  state: {
    ...state,
    phase: {
      kind: "opening",
      how,
      hello,
      failed,
      replayed: 0,
      replaying: null,
    },
  },
  effects: [send(message)],
});

const fail = (
  state: AcpState,
  failure: StartFailure,
  message: string,
): Step<AcpState> => ({
  state: { ...state, phase: { kind: "failed" } },
  effects: [{ kind: "failed", failure, message }],
});

/** Whatever restricts the agent must hold before it is given anything to do. */
const restrict = (
  state: AcpState,
  restriction: Restriction,
): Step<AcpState> => ({
  state: { ...state, phase: { kind: "failed" } },
  effects: [
    {
      kind: "failed",
      failure: "restriction_not_held",
      message: explainRestriction(restriction),
      restriction,
    },
  ],
});

const refuse = (state: AcpState, error: RpcError): Step<AcpState> =>
  error.code === AUTH_REQUIRED
    ? fail(
        state,
        "not_logged_in",
        `The agent wants a login: ${describeError(error)}`,
      )
    : fail(
        state,
        "agent_error",
        `The agent refused to open a session: ${describeError(error)}`,
      );
