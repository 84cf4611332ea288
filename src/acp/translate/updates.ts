/**
 * Events of a session as the updates that ACP has for them. What an event means depends on what was told before it (whose
 * text is appended to, which call is updated), so all events of the session pass through here in order.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Event, EventOf } from "../../contract/event/event.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Message } from "../../contract/session/message.ts";
import type { PromptId } from "../../contract/base/id.ts";
import { chunk, type Speaker } from "./chunk.ts";
import { gradeWords } from "./grade.ts";
import { notice } from "./notice.ts";
import { passedOn } from "./passed-on.ts";
import {
  callUpdate,
  changeUpdate,
  firstShown,
  type ShownCall,
} from "./tool-call.ts";

/** Who is told. */
export interface Listener {
  /** It shows notices; others get them as words of the agent, where they must know. */
  notices: boolean;
  /** Prompts that it sent itself: it shows them already. */
  isOwn(prompt: PromptId): boolean;
}

/** What was told so far. It is changed in place: it has one owner. */
export interface Told {
  prompt: PromptId | null;
  /** Who says a message, and under which id it is told. */
  readonly texts: Map<string, { speaker: Speaker; messageId: string }>;
  /** Calls of this turn by the id of their message. */
  readonly calls: Map<string, ShownCall>;
  /** All ids that calls had. */
  readonly callIds: Set<string>;
  readonly pending: Map<string, Permission>;
}

export const nothingTold = (): Told => ({
  prompt: null,
  texts: new Map(),
  calls: new Map(),
  callIds: new Set(),
  pending: new Map(),
});

export const updatesOf = (
  told: Told,
  event: Event,
  listener: Listener,
): SessionUpdate[] => {
  switch (event.type) {
    case "session.turn.started":
      told.prompt = event.data.prompt_id;
      told.texts.clear();
      told.calls.clear();
      return [];
    case "session.message.added":
      return added(told, event.data.message, listener);
    case "session.message.updated":
      return appended(told, event.data);
    case "session.tool.updated":
      return toolChanged(told, event.data);
    case "session.plan.updated":
      return [planOf(event.data.entries)];
    case "session.usage":
      return usageOf(event.data.context);
    case "session.agent.update": {
      const update = passedOn(event.data.update);
      return update === null ? [] : [update];
    }
    case "session.permission.requested":
      if (event.data.answered_by === undefined)
        told.pending.set(event.data.permission.id, event.data.permission);
      return [];
    case "session.permission.answered":
    case "session.permission.closed":
      told.pending.delete(event.data.id);
      return [];
    case "session.resumed":
      return gradeOf(event, listener);
    case "session.notice":
      return listener.notices
        ? [notice(event.data.level, event.data.text, null)]
        : [];
    default:
      return [];
  }
};

const added = (
  told: Told,
  { id, role, text, tool, continues }: Message,
  listener: Listener,
): SessionUpdate[] => {
  switch (role) {
    case "user":
      return told.prompt !== null && listener.isOwn(told.prompt)
        ? []
        : [chunk("user", text, id)];
    case "agent":
    case "thought": {
      const messageId = told.texts.get(continues ?? "")?.messageId ?? id;
      told.texts.set(id, { speaker: role, messageId });
      return text === "" ? [] : [chunk(role, text, messageId)];
    }
    case "tool": {
      if (tool === undefined) return [];
      const call = firstShown(callId(told, tool.id, id), tool);
      told.calls.set(id, call);
      return [callUpdate(call, tool.title ?? text)];
    }
    case "notice":
      return [];
  }
};

/** The agent's own id; another one where an earlier call had the same. */
const callId = ({ callIds }: Told, agents: string, message: string): string => {
  const id = callIds.has(agents) ? `${agents}#${message}` : agents;
  callIds.add(id);
  return id;
};

const appended = (
  told: Told,
  { id, append = "" }: EventOf<"session.message.updated">["data"],
): SessionUpdate[] => {
  const { speaker, messageId } = told.texts.get(id) ?? {
    speaker: "agent",
    messageId: id,
  };
  return append === "" ? [] : [chunk(speaker, append, messageId)];
};

const toolChanged = (
  told: Told,
  { id, tool }: EventOf<"session.tool.updated">["data"],
): SessionUpdate[] => {
  const call = told.calls.get(id) ?? {
    toolCallId: tool.id,
    tool: { id: tool.id },
    shown: 0,
  };
  told.calls.set(id, call);
  const update = changeUpdate(call, tool);
  return update === null ? [] : [update];
};

const planOf = (
  entries: EventOf<"session.plan.updated">["data"]["entries"],
): SessionUpdate => ({
  sessionUpdate: "plan",
  entries: entries.map(({ text, status, priority }) => ({
    content: text,
    status: STATUSES.find((known) => known === status) ?? "pending",
    priority: PRIORITIES.find((known) => known === priority) ?? "medium",
  })),
});

const STATUSES = ["pending", "in_progress", "completed"] as const;
const PRIORITIES = ["high", "medium", "low"] as const;

const usageOf = (
  context: EventOf<"session.usage">["data"]["context"],
): SessionUpdate[] =>
  context?.size_tokens == null
    ? []
    : [
        {
          sessionUpdate: "usage_update",
          used: context.used_tokens,
          size: context.size_tokens,
        },
      ];

/** Where the process never stopped, only who shows notices is told: words of the agent would stand in the middle of its own. */
const gradeOf = (
  { seq, data }: EventOf<"session.resumed">,
  { notices }: Listener,
): SessionUpdate[] => {
  const words = gradeWords(data.resume);
  if (words === null) return [];
  const { severity, title, description } = words;
  if (notices) return [notice(severity, title, description)];
  if (data.resume.grade === "reattached") return [];
  const text = description === null ? title : `${title} ${description}`;
  return [chunk("agent", `[Reprise] ${text}\n\n`, `resume_${seq}`)];
};
