/** The result of a call that had an agent work: what programs read, and the same in words. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { join } from "node:path";
import * as z from "zod";
import type { TurnResult } from "../../client/turn.ts";
import { callOf, cutText, lines, oneLine } from "../base/words.ts";
import {
  answerCall,
  optionWords,
  ShownPermission,
  shownPermission,
} from "./permission-words.ts";
import type { Work } from "./work.ts";

/** Fields that have nothing to say are absent. */
export const InvocationResult = z.object({
  success: z.boolean(),
  status: z.enum([
    "completed",
    "working",
    "needs_permission",
    "interrupted",
    "cancelled",
    "failed",
  ]),
  text: z.string().describe("What the agent said at the end of its turn"),
  sessionId: z
    .string()
    .describe("Give it as continueSessionId to continue this conversation"),
  promptId: z.string(),
  agentName: z.string(),
  turn: z.int().optional(),
  stopReason: z.string().optional(),
  isSessionContinuation: z.boolean(),
  existingHistory: z
    .int()
    .optional()
    .describe("How many messages the session had before this prompt"),
  resume: z
    .object({ grade: z.string().optional(), lost: z.string().optional() })
    .optional()
    .describe("How much the agent still knew, where it had to be brought back"),
  filesChanged: z.array(z.object({ path: z.string(), change: z.string() })),
  pendingPermissions: z.array(ShownPermission),
  outputFiles: z
    .object({
      conversation: z.string(),
      sessionLog: z.string(),
      summary: z.string(),
    })
    .optional()
    .describe("conversation.json, session.log and summary.json of the session"),
  error: z.string().optional(),
  waitsUntil: z
    .string()
    .optional()
    .describe("A quota is used up: the agent goes on by itself at this time"),
  next: z.string().optional().describe("The call to make next"),
});
export type InvocationResult = z.infer<typeof InvocationResult>;

export const describeResult = (
  work: Work,
  turn: TurnResult,
  sessionsDirectory: string | null,
): InvocationResult => {
  const { resume, error } = turn;
  return {
    success: turn.status === "completed",
    status: turn.status,
    text: cutText(turn.text),
    sessionId: turn.session_id,
    promptId: turn.prompt_id,
    agentName: work.agent,
    ...(turn.turn !== null && { turn: turn.turn }),
    ...(turn.stop_reason !== null && { stopReason: turn.stop_reason }),
    isSessionContinuation: work.isContinuation,
    ...(work.existingHistory !== undefined && {
      existingHistory: work.existingHistory,
    }),
    ...(resume !== null && {
      resume: {
        ...(resume.grade !== null && { grade: resume.grade }),
        ...(resume.lost !== null && { lost: resume.lost }),
      },
    }),
    filesChanged: turn.files.map(({ path, change }) => ({ path, change })),
    pendingPermissions: turn.pending_permissions.map(shownPermission),
    ...(sessionsDirectory !== null && {
      outputFiles: filesOf(join(sessionsDirectory, turn.session_id)),
    }),
    ...(error !== null && { error: error.message }),
    ...(turn.waits_until !== null && { waitsUntil: turn.waits_until }),
    ...nextOf(work, turn),
  };
};

export const filesOf = (directory: string) => ({
  conversation: join(directory, "conversation.json"),
  sessionLog: join(directory, "session.log"),
  summary: join(directory, "summary.json"),
});

const nextOf = (work: Work, turn: TurnResult): { next?: string } => {
  const { session_id: sessionId, prompt_id: promptId } = turn;
  switch (turn.status) {
    case "working":
      return { next: callOf("wait_for_session", { sessionId, promptId }) };
    case "needs_permission": {
      const [first] = turn.pending_permissions;
      return first === undefined ? {} : { next: answerCall(sessionId, first) };
    }
    case "interrupted":
      // The prompt still waits: another one would come behind it.
      if (turn.turn === null)
        return turn.error?.code === "budget_reached"
          ? {}
          : { next: callOf("resume_session", { sessionId }) };
      return {
        next: callOf("invoke_agent", {
          agentName: work.agent,
          continueSessionId: sessionId,
          prompt:
            "You were interrupted. Look at what is already done and continue from there.",
        }),
      };
    case "completed":
    case "cancelled":
    case "failed":
      return {};
  }
};

/** As a tool answers with it. */
export const resultAnswer = (result: InvocationResult): CallToolResult => ({
  content: [{ type: "text", text: wordsOf(result) }],
  structuredContent: { ...result },
  ...(result.status === "failed" && { isError: true }),
});

const beginningOf = (result: InvocationResult): string => {
  if (!result.isSessionContinuation) return "new";
  return result.existingHistory === undefined
    ? "continued"
    : `continued, ${result.existingHistory} messages before`;
};

const wordsOf = (result: InvocationResult): string => {
  const { filesChanged, pendingPermissions, resume, outputFiles } = result;
  return lines(
    result.status === "failed"
      ? `Error: ${result.error ?? "the agent could not do it."}`
      : null,
    result.text,
    "---",
    `Status: ${result.status}${result.turn === undefined ? "" : ` (turn ${result.turn})`}`,
    `Session: ${result.sessionId} (${beginningOf(result)}), agent ${result.agentName}`,
    resume?.grade === undefined
      ? null
      : `The agent was brought back: ${resume.grade}${resume.lost === undefined ? "" : `; lost: ${resume.lost}`}`,
    result.status !== "failed" && result.error !== undefined
      ? `Trouble: ${result.error}`
      : null,
    result.waitsUntil === undefined
      ? null
      : `The agent's quota is used up. It goes on with this prompt by itself at ${result.waitsUntil}: do not send it again. To have it tried at once: ${callOf("resume_session", { sessionId: result.sessionId, now: true })}`,
    filesChanged.length === 0
      ? null
      : `Files changed: ${filesChanged
          .slice(0, 100)
          .map(({ path, change }) => `${oneLine(path)} (${change})`)
          .join(", ")}`,
    ...pendingPermissions.map(
      (each) =>
        `Waits for permission ${each.id}: ${each.title}. Options: ${optionWords(each)}`,
    ),
    outputFiles === undefined
      ? null
      : `Files of the session: ${outputFiles.conversation}, ${outputFiles.sessionLog}, ${outputFiles.summary}`,
    result.next === undefined ? null : `Next: ${result.next}`,
  );
};
