/** A session that comes from another home: its journal is taken as it is, and what ran there is closed. */
import type { Event } from "../../contract/event/event.ts";
import type { PromptId, TaskId } from "../../contract/base/id.ts";
import {
  describeSetAside,
  isSetAside,
} from "../../contract/agent/mcp-secret.ts";
import type { PlaceRef } from "../../contract/base/place.ts";
import { isTerminal } from "../../contract/session/state.ts";
import { evolve } from "../evolve/evolve.ts";
import { promptChanges } from "../view/prompt-changes.ts";
import { savedMemory } from "../state/saved-memory.ts";
import type { State } from "../state/state.ts";
import { breakRewind, breakTurn } from "./close.ts";
import type { Decision } from "./decision.ts";
import { Draft } from "./draft.ts";
import { keepPending } from "./changes/change.ts";
import { closePermissions } from "./permissions.ts";

export interface Import {
  /** The whole journal, from the first event on. */
  events: readonly Event[];
  /** The task it belongs to here. */
  task_id: TaskId | null;
  /** Where it goes on, and where its workspace will be there. */
  place: PlaceRef;
  cwd: string;
  /** Where it was damaged in the other home: what came from there on is not here. */
  damaged_from?: number | null;
  /** How many of its files are setuid or setgid, or have capabilities. */
  privileged?: number;
}

/** Throws when the events are not the journal of a session. */
export const decideImport = (
  {
    events: original,
    task_id,
    place,
    cwd,
    damaged_from = null,
    privileged = 0,
  }: Import,
  at: string,
): Extract<Decision, { kind: "events" }> => {
  const events = original.map((event) => ({ ...withoutOrder(event), task_id }));
  const state = events.reduce<State | null>(evolve, null);
  if (state === null) throw new Error("an empty journal");
  const { env_from = {} } = state.agent.definition;
  refuseImpossible(state);
  const draft = new Draft(state, { session_id: state.id, task_id }, at);
  const { name } = state.lifecycle;
  closeWhatRan(draft);
  if (state.deleted_at !== null)
    draft.emit({ type: "session.undeleted", data: {} });
  draft.emit({
    type: "session.imported",
    data: {
      place,
      cwd,
      memory: draft.state.agent.memory ?? savedMemory(draft.state),
    },
  });
  if (!isTerminal(name)) draft.changed(name, "PAUSED", "imported");
  warnOfEnvironment(draft, Object.keys(env_from));
  warnOfDamage(draft, damaged_from);
  warnOfPrivileges(draft, privileged);
  const news = draft.done();
  if (news.kind !== "events") throw new Error("an import refuses nothing");
  const all = [...events, ...news.events];
  refuseUnknownPrompts(all, news.after);
  return { ...news, events: all };
};

/** The order of checkpoints holds within a home. */
const withoutOrder = (event: Event): Event => {
  switch (event.type) {
    case "session.checkpoint.saved":
    case "session.checkpoint.partial":
    case "session.checkpoint.failed": {
      const { order: _, ...checkpoint } = event.data.checkpoint;
      return { ...event, data: { checkpoint } };
    }
    default:
      return event;
  }
};

const MAX_TURNS = 1_000_000;

/** Turns are walked through one by one, back over every rewind: the way must be short, and must end. */
const refuseImpossible = ({ turns: { last, rewinds } }: State): void => {
  if (last > MAX_TURNS) throw new Error("more turns than there can be");
  if (rewinds.some(({ at, to }) => to > at || at > last))
    throw new Error("a rewind to what was not said yet");
};

/** Only a prompt that was queued can change. */
const refuseUnknownPrompts = (events: readonly Event[], after: State): void => {
  const queued = new Set<PromptId>();
  for (const { id, seq } of promptChanges(events, after)) {
    if (seq !== undefined) queued.add(id);
    else if (!queued.has(id)) throw new Error(`${id} was never given`);
  }
};

const closeWhatRan = (draft: Draft): void => {
  const { execution } = draft.state;
  breakRewind(draft, {
    code: "wrong_state",
    message: "The session was moved to another home meanwhile.",
  });
  closePermissions(draft, "agent_died");
  // Whether its agent had taken the prompt is known in the other home only.
  breakTurn(
    draft,
    { code: "moved", reason: "The session was moved to another home." },
    "none",
  );
  if (execution !== null)
    draft.emit({
      type: "session.execution.ended",
      data: {
        execution_id: execution.id,
        epoch: execution.epoch,
        ending: { kind: "vanished" },
        stderr_tail: "",
      },
    });
  keepPending(draft);
};

const warnOfDamage = (draft: Draft, damaged_from: number | null): void => {
  if (damaged_from !== null)
    draft.notice(
      "warning",
      "journal_damaged",
      `The journal of this session was damaged from event ${damaged_from} on when it was exported: what came after that is not here.`,
    );
};

/** A file from elsewhere brings no privileges: whoever imports it may grant them again. */
const warnOfPrivileges = (draft: Draft, files: number): void => {
  if (files > 0)
    draft.notice(
      "warning",
      "privileges_not_imported",
      `${files === 1 ? "1 file" : `${files} files`} of its workspaces had setuid, setgid or capabilities: they come back without.`,
    );
};

/** Values of variables are secrets: they are not in the file. */
const warnOfEnvironment = (draft: Draft, ofProfile: string[]): void => {
  const { env_names, mcp_servers = [] } = draft.state.agent.definition;
  const missing = [
    ...env_names.filter((name) => !isSetAside(name)),
    ...ofProfile,
    ...describeSetAside(mcp_servers),
  ];
  if (missing.length > 0)
    draft.notice(
      "warning",
      "env_not_imported",
      `The session was started with ${missing.join(", ")}; values of variables are not moved with a session, so its agent starts without them.`,
    );
};
