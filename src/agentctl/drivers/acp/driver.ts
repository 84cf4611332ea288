import { CLIENT_METHODS } from "@agentclientprotocol/sdk";
import { permissionId } from "../../../contract/base/id.ts";
import type { ByteRange } from "../../../contract/link/report.ts";
import {
  emptyMap,
  entriesOf,
  valueOf,
  without,
  withEntry,
} from "../../../kit/data/persistent-map.ts";
import { unreachable } from "../../../kit/unreachable.ts";
import type { Driver, Purpose, Setup, Step, Want } from "../driver.ts";
import { read, type Said, whatOf } from "./message.ts";
import { interpretChange, wantChange } from "./change.ts";
import { namedBy } from "./named.ts";
import { interpretOpening } from "./open.ts";
import {
  answer,
  cancel,
  close,
  initialize,
  methodNotFound,
  ping,
  prompt,
  send,
} from "./outgoing.ts";
import { type AcpState, begun, restored } from "./state.ts";
import { chosen, offeredOptions } from "./options.ts";
import { PermissionRequest, promptOf, tell } from "./tell.ts";

const begin = (setup: Setup): Step<AcpState> => ({
  state: begun,
  effects: [send(initialize(setup))],
});

const interpret = (
  setup: Setup,
  state: AcpState,
  said: Said,
  range: ByteRange,
): Step<AcpState> => {
  if (said.kind === "request")
    return interpretRequest(setup, state, said, range);
  if (state.phase.kind !== "open")
    return interpretOpening(setup, state, said, range);
  if (said.kind === "answer" || said.kind === "refusal")
    return interpretAnswer(setup, state, state.phase.session_id, said);
  const token = namedBy(said) ?? state.token;
  return { state: { ...state, token }, effects: [] };
};

/** Only a permission may be asked of us, and only in an open session. */
const interpretRequest = (
  setup: Setup,
  state: AcpState,
  said: Extract<Said, { kind: "request" }>,
  range: ByteRange,
): Step<AcpState> => {
  const { id, method, params } = said;
  const at = range.from;
  if (state.answered.has(at)) return { state, effects: [] };
  const reply: Purpose = { kind: "reply", to: at };
  if (method !== CLIENT_METHODS.session_request_permission)
    return { state, effects: [send(methodNotFound(reply, id, method))] };
  const request = PermissionRequest.safeParse(params).data;
  if (state.phase.kind !== "open" || request === undefined)
    return { state, effects: [send(answer(reply, id, null))] };
  const options = offeredOptions(request.options);
  const permission = permissionId(setup.epoch, at);
  const asked = withEntry(state.asked, permission, { id, at, options });
  return { state: { ...state, asked }, effects: [] };
};

const interpretAnswer = (
  setup: Setup,
  state: AcpState,
  session_id: string,
  said: Extract<Said, { kind: "answer" | "refusal" }>,
): Step<AcpState> => {
  const what = whatOf(said.id);
  const changed = interpretChange(setup, state, session_id, what, said);
  if (changed !== null) return changed;
  if (what === "close") return { state, effects: [{ kind: "closed" }] };
  const prompt_id = promptOf(what);
  // An agent may answer twice, or late: what it asks meanwhile belongs to another turn.
  if (prompt_id === null || !state.running.includes(prompt_id))
    return { state, effects: [] };
  return {
    state: {
      ...state,
      running: state.running.filter((id) => id !== prompt_id),
      asked: emptyMap,
    },
    effects: [{ kind: "turn_ended", prompt_id, token: state.token }],
  };
};

const want = (setup: Setup, state: AcpState, what: Want): Step<AcpState> => {
  const { phase } = state;
  if (phase.kind !== "open")
    return what.kind === "prompt"
      ? {
          state: { ...state, waiting: [...state.waiting, what] },
          effects: [],
        }
      : { state, effects: what.kind === "close" ? [{ kind: "closed" }] : [] };
  const { session_id } = phase;
  switch (what.kind) {
    case "prompt": {
      const { prompt_id, content } = what;
      return {
        state: { ...state, running: [...state.running, prompt_id] },
        effects: [send(prompt(setup, session_id, prompt_id, content))],
      };
    }
    case "answer": {
      const { permission_id, option_id } = what;
      const request = valueOf(state.asked, permission_id);
      if (request === undefined) return { state, effects: [] };
      const asked = without(state.asked, permission_id);
      const purpose: Purpose = { kind: "answer", permission_id };
      return {
        state: { ...state, asked },
        effects: [
          send(answer(purpose, request.id, chosen(request.options, option_id))),
        ],
      };
    }
    case "cancel":
      return cancelTurn(state, session_id);
    case "change":
      return wantChange(setup, state, session_id, what);
    case "close": {
      const cancelled = cancelTurn(state, session_id);
      return {
        ...cancelled,
        effects: [
          ...cancelled.effects,
          phase.abilities.close
            ? send(close(setup, session_id))
            : { kind: "closed" },
        ],
      };
    }
    default:
      return unreachable(what);
  }
};

/** ACP wants every pending permission request of a cancelled turn answered with `cancelled`. */
const cancelTurn = (state: AcpState, session_id: string): Step<AcpState> =>
  state.running.length === 0
    ? { state, effects: [] }
    : {
        state: { ...state, asked: emptyMap },
        effects: [
          send(cancel(session_id)),
          ...[...entriesOf(state.asked)]
            .map(([, request]) => request)
            .toSorted((a, b) => a.at - b.at)
            .map(({ id, at }) =>
              send(answer({ kind: "reply", to: at }, id, null)),
            ),
        ],
      };

export const acp: Driver<AcpState, Said> = {
  begin,
  restore: restored,
  read,
  interpret: interpret,
  want,
  isAsked: ({ asked }, permission) => valueOf(asked, permission) !== undefined,
  tell,
  ping,
};
