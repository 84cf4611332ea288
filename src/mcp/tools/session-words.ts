/** A session as tools show it. */
import * as z from "zod";
import {
  isLocal,
  isOtherHost,
  type PlaceRef,
} from "../../contract/base/place.ts";
import type { Session } from "../../contract/session/session.ts";
import { lines, oneLine } from "../base/words.ts";
import {
  optionWords,
  ShownPermission,
  shownPermission,
} from "../work/permission-words.ts";

export const sessionIdField = z
  .string()
  .describe(
    "The session's id (ses_…), its unique beginning, the agent's own session id, or the session's name",
  );

export const ShortSession = z.object({
  sessionId: z.string(),
  agentName: z.string(),
  state: z.string(),
  status: z.string(),
  isAgentRunning: z.boolean(),
  cwd: z.string(),
  /** Absent on the machine of the server. */
  executor: z.string().optional(),
  host: z.string().optional(),
  turns: z.int(),
  createdAt: z.string(),
  lastActiveAt: z.string(),
  name: z.string().optional(),
  taskId: z.string().optional(),
  model: z.string().optional(),
  agentSessionId: z.string().optional(),
  parentSessionId: z.string().optional(),
  calledBySessionId: z.string().optional(),
  lastWords: z.string().optional(),
  error: z.string().optional(),
  resume: z
    .object({ grade: z.string().optional(), lost: z.string().optional() })
    .optional(),
  queuedPrompts: z.array(z.string()),
  unresolvedPrompts: z.array(z.string()),
  pendingPermissions: z.array(ShownPermission),
});
export type ShortSession = z.infer<typeof ShortSession>;

export const shortSession = (session: Session): ShortSession => ({
  sessionId: session.id,
  agentName: session.agent,
  state: session.state,
  status: session.status,
  isAgentRunning: session.is_agent_running,
  cwd: session.cwd,
  ...elsewhere(session.place),
  turns: session.turn_count,
  createdAt: session.created_at,
  lastActiveAt: session.last_active_at,
  ...told("name", session.name),
  ...told("taskId", session.task_id),
  ...told("model", session.definition.model),
  ...told("agentSessionId", session.metadata.resume_token),
  ...told("parentSessionId", session.parent?.session_id),
  ...told("calledBySessionId", session.called_by),
  ...told("lastWords", session.last_words),
  ...told("error", session.error_message),
  ...(session.resume !== null && {
    resume: {
      ...told("grade", session.resume.grade),
      ...told("lost", session.resume.lost),
    },
  }),
  queuedPrompts: session.queued_prompts.map(({ id }) => id),
  unresolvedPrompts: session.unresolved_prompts.map(({ id }) => id),
  pendingPermissions: session.pending_permissions.map(shownPermission),
});

const elsewhere = (place: PlaceRef): Pick<ShortSession, "executor" | "host"> =>
  isLocal(place)
    ? {}
    : {
        executor: place.kind,
        ...(isOtherHost(place) && { host: place.id }),
      };

/** Absent where there is nothing. */
const told = <K extends string>(
  name: K,
  value: string | null | undefined,
): Partial<Record<K, string>> => {
  const said: Partial<Record<K, string>> = {};
  if (value !== null && value !== undefined) said[name] = value;
  return said;
};

/** The executor, and the host where it is one. */
export const placeWords = ({ kind, id }: PlaceRef): string =>
  isOtherHost({ kind }) ? `${kind} ${id}` : kind;

const whereWords = ({ executor, host }: ShortSession): string => {
  const words = [executor, host].filter((each) => each !== undefined);
  return words.length === 0 ? "" : ` on ${words.join(" ")}`;
};

export const sessionLine = (session: ShortSession): string =>
  lines(
    `${session.sessionId} ${session.agentName} ${session.state} in ${oneLine(session.cwd)}${whereWords(session)}, ${session.turns} turns, last active ${session.lastActiveAt}${session.name === undefined ? "" : `, name "${oneLine(session.name)}"`}`,
    session.lastWords === undefined
      ? null
      : `  last words: ${oneLine(session.lastWords)}`,
    session.error === undefined
      ? null
      : `  error: ${oneLine(session.error, 500)}`,
    ...session.pendingPermissions.map(
      (each) =>
        `  waits for permission ${each.id}: ${each.title}. Options: ${optionWords(each)}`,
    ),
  );
