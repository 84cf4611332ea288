/**
 * The tool calls of the turn in progress that an update can still be about. A turn may make any number of calls, so the
 * state holds those that have no end yet, and of the others the newest: agents add to a call shortly after its end.
 */
import type { AskedTool } from "../../contract/agent/asked-tool.ts";
import type { MessageId } from "../../contract/base/id.ts";
import type { Tool, ToolStatus } from "../../contract/agent/tool.ts";
import {
  emptyMap,
  entriesOf,
  type PersistentMap,
  valueOf,
  withEntry,
  without,
} from "../../kit/data/persistent-map.ts";
import { askedToolOf, mergeAsked, nothingAsked } from "./asked-tool.ts";

export interface ToolCalls {
  /** By the agent's id: calls without an end. */
  readonly open: PersistentMap<OpenCall>;
  /** The newest with an end, oldest first. */
  readonly ended: readonly EndedCall[];
  /** How the agent described the newest calls without an end, oldest first: it may soon ask for permission for one of them. */
  readonly described: readonly AskedTool[];
}

interface OpenCall {
  message: MessageId;
  /** The agent said that it goes on. Of the others it never said how they stand. */
  runs: boolean;
}

interface EndedCall {
  id: string;
  message: MessageId;
}

/** How many calls with an end are known. An update of an older one is a message of its own. */
export const KNOWN_ENDED_CALLS = 64;
/** How many calls without an end are known; the same holds for those that come when there are so many. */
export const MAX_OPEN_CALLS = 10_000;

export const noToolCalls: ToolCalls = {
  open: emptyMap,
  ended: [],
  described: [],
};

/** How many descriptions of calls are held. */
export const MAX_DESCRIBED = 16;

/** What a call has told of itself, if that is known. */
export const toldOf = (
  { described }: Pick<ToolCalls, "described">,
  id: string,
): AskedTool | null => described.find((each) => each.id === id) ?? null;

/** The message that shows a call, if the call is known. */
export const messageOfTool = (
  { open, ended }: ToolCalls,
  id: string,
): MessageId | undefined =>
  valueOf(open, id)?.message ?? ended.find((call) => call.id === id)?.message;

/** Calls that go on, in the order of their messages. */
export const runningCalls = ({ open }: ToolCalls): EndedCall[] =>
  [...entriesOf(open)]
    .filter(([, { runs }]) => runs)
    .map(([id, { message }]) => ({ id, message }))
    .toSorted((a, b) => numberOf(a.message) - numberOf(b.message));

/** After a call said something of itself. */
export const tellCall = (calls: ToolCalls, tool: Tool): ToolCalls => {
  const { id, status, title, kind, input, diffs, locations } = tool;
  const others = calls.described.filter((each) => each.id !== id);
  if (status !== undefined && !isOpen(status))
    return { ...calls, described: others };
  if (title === undefined && !(kind ?? input ?? diffs ?? locations))
    return calls;
  const before = toldOf(calls, id) ?? nothingAsked;
  const described = [...others, mergeAsked(before, askedToolOf(tool))];
  return { ...calls, described: described.slice(-MAX_DESCRIBED) };
};

/** After a call, shown by this message, began or changed. */
export const followCall = (
  calls: ToolCalls,
  call: { id: string; message: MessageId; status: ToolStatus | undefined },
): ToolCalls => {
  const { id, message, status } = call;
  if (status !== undefined && !isOpen(status))
    return endCall(calls, { id, message });
  const known = valueOf(calls.open, id);
  if (known === undefined && isKnownEnded(calls, id) && status === undefined)
    return calls;
  if (known === undefined && calls.open.size >= MAX_OPEN_CALLS) return calls;
  const runs = status === undefined ? (known?.runs ?? false) : true;
  return {
    ...calls,
    open: withEntry(calls.open, id, { message, runs }),
    ended: calls.ended.filter((each) => each.id !== id),
  };
};

const endCall = (calls: ToolCalls, call: EndedCall): ToolCalls => ({
  ...calls,
  open: without(calls.open, call.id),
  ended: [...calls.ended.filter(({ id }) => id !== call.id), call].slice(
    -KNOWN_ENDED_CALLS,
  ),
});

const isKnownEnded = ({ ended }: ToolCalls, id: string): boolean =>
  ended.some((call) => call.id === id);

const isOpen = (status: ToolStatus): boolean =>
  status === "pending" || status === "in_progress";

/** A message was added by a later event than this one. */
export const isAddedAfter = (id: MessageId, seq: number): boolean =>
  numberOf(id) > seq;

/** Messages are numbered by the event that added them. */
const numberOf = (id: MessageId): number => Number(id.slice("msg_".length));
