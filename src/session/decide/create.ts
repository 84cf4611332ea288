import { checkpointId } from "../../contract/session/checkpoint.ts";
import type { Create, Origin } from "../state/command.ts";
import type { Decision } from "./decision.ts";
import { Draft } from "./draft.ts";
import { messageId } from "../../contract/base/id.ts";
import type { Message } from "../../contract/session/message.ts";
import { queuePrompt } from "./prompts.ts";
import { askForAgent } from "./start.ts";

/** A new session starts its agent at once, with or without a prompt to work on. */
export const decideCreate = (create: Create, at: string): Decision => {
  const { session_id, task_id, prompt, origin, ...created } = create;
  const draft = new Draft(null, { session_id, task_id }, at);
  draft.emit({
    type: "session.created",
    data: { ...created, executor: created.place.kind },
  });
  if (origin !== null) goOnFrom(draft, origin);
  if (prompt !== null) queuePrompt(draft, prompt);
  askForAgent(draft, "start");
  return draft.done();
};

/** What another session was becomes this one's past: its words, its workspace, its agent's memory. */
const goOnFrom = (draft: Draft, origin: Origin) => {
  const { checkpoint, memory, messages } = origin;
  const { turns = checkpoint.turn, cut = [] } = origin;
  const { parent } = draft.state.created;
  if (parent === null) throw new Error("a fork has a parent");
  const { left_out = 0 } = origin;
  if (left_out > 0)
    draft.notice(
      "info",
      "history_left_out",
      `The conversation is long: its first ${left_out} messages are not repeated here. Session ${parent.session_id} has them.`,
    );
  for (const message of renumbered(messages, draft.nextSeq))
    draft.emit({ type: "session.message.added", data: { message } });
  draft.emit({
    type: "session.forked",
    data: { parent, turns, cut: [...cut], memory },
  });
  // It is made here and now, as far as other sessions of a directory are concerned.
  const { order: _, changes: __, ...begun } = checkpoint;
  draft.emit({
    type: `session.checkpoint.${checkpoint.outcome}`,
    data: {
      checkpoint: {
        ...begun,
        id: checkpointId(draft.nextSeq),
        kind: "baseline",
        shared: false,
        seq: draft.state.seq,
        at: draft.at,
      },
    },
  });
};

/** The same messages, named after the events that add them here. */
const renumbered = (messages: readonly Message[], first: number): Message[] => {
  const names = new Map(
    messages.map(({ id }, i) => [id, messageId(first + i)]),
  );
  return messages.map(({ continues, ...message }) => {
    const before = continues && names.get(continues);
    return {
      ...message,
      id: names.get(message.id) ?? message.id,
      ...(before === undefined ? {} : { continues: before }),
    };
  });
};
