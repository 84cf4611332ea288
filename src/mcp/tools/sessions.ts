import * as z from "zod";
import { AgentId } from "../../contract/agent/agent.ts";
import { MessageId } from "../../contract/base/id.ts";
import { answer } from "../base/answer.ts";
import { findSession } from "../base/find-session.ts";
import { tool } from "../base/tool.ts";
import { callOf, cutText, lines, oneLine } from "../base/words.ts";
import {
  sessionIdField,
  sessionLine,
  shortSession,
  ShortSession,
} from "./session-words.ts";

const MAX_LISTED = 200;

export const listSessions = tool({
  name: "list_sessions",
  title: "List sessions",
  description: "Lists sessions, the most recently active first.",
  input: z.strictObject({
    agentName: AgentId.optional().describe("Only sessions of this agent"),
    cwd: z.string().optional().describe("Only sessions in this directory"),
    limit: z.int().min(1).max(MAX_LISTED).default(20),
  }),
  output: z.object({ sessions: z.array(ShortSession) }),
  readOnly: true,
  async run({ agentName, cwd, limit }, { door: { client } }) {
    const page = await client.listSessions({
      limit,
      ...(cwd !== undefined && { cwd }),
      ...(agentName !== undefined && { agent: agentName }),
    });
    const sessions = page.sessions.map(shortSession);
    const text = sessions.map(sessionLine).join("\n");
    return answer(text === "" ? "There are no sessions." : text, { sessions });
  },
});

export const getSession = tool({
  name: "get_session",
  title: "Show a session",
  description:
    "Shows how a session stands: its state, what waits for an answer, what its agent said last.",
  input: z.strictObject({ sessionId: sessionIdField }),
  output: ShortSession,
  readOnly: true,
  async run({ sessionId }, { door: { client } }) {
    const session = shortSession(await findSession(client, sessionId));
    return answer(sessionLine(session), session);
  },
});

const ShownMessage = z.object({
  id: z.string(),
  turn: z.int(),
  role: z.string(),
  text: z.string(),
  tool: z.string().optional(),
  at: z.string(),
});

export const getConversation = tool({
  name: "get_conversation",
  title: "Show a conversation",
  description:
    "Shows the newest messages of a session, oldest first, or those before a message.",
  input: z.strictObject({
    sessionId: sessionIdField,
    limit: z.int().min(1).max(500).default(50),
    before: MessageId.optional().describe(
      "The before of an earlier answer: shows older messages",
    ),
  }),
  output: z.object({
    sessionId: z.string(),
    messages: z.array(ShownMessage),
    before: z.string().optional(),
  }),
  readOnly: true,
  async run({ sessionId, limit, before }, { door: { client } }) {
    const { id } = await findSession(client, sessionId);
    const page = await client.listMessages(id, {
      limit,
      ...(before !== undefined && { before }),
    });
    const messages = page.messages.map((message) => ({
      id: message.id,
      turn: message.turn,
      role: message.role,
      text: cutText(message.text),
      ...(message.tool !== undefined && {
        tool: oneLine(message.tool.title ?? message.tool.kind ?? "tool"),
      }),
      at: message.at,
    }));
    const text = messages
      .map(({ turn, role, text: said, tool: used }) =>
        lines(
          `[turn ${turn}] ${role}${used === undefined ? "" : ` (${used})`}:`,
          said,
        ),
      )
      .join("\n\n");
    const rest = page.next === null ? {} : { before: page.next };
    return answer(
      lines(
        text === "" ? "Nothing was said yet." : text,
        page.next === null
          ? null
          : `Older messages: ${callOf("get_conversation", { sessionId: id, before: page.next })}`,
      ),
      { sessionId: id, messages, ...rest },
    );
  },
});

export const pauseSession = tool({
  name: "pause_session",
  title: "Pause a session",
  description:
    "Stops the agent of a session. The session stays and comes back with its next prompt.",
  input: z.strictObject({ sessionId: sessionIdField }),
  output: ShortSession,
  async run({ sessionId }, { door: { client }, key }) {
    const { id } = await findSession(client, sessionId);
    const session = shortSession(await client.pauseSession(id, { key }));
    return answer(`Session ${id} is ${session.state}.`, session);
  },
});

export const resumeSession = tool({
  name: "resume_session",
  title: "Resume a session",
  description:
    "Brings the agent of a session back and says how much it still knows. A prompt does so by itself: this is only needed to have it ready.",
  input: z.strictObject({
    sessionId: sessionIdField,
    now: z
      .boolean()
      .optional()
      .describe(
        "Try the agent at once, although its quota counts as used up; prompts that wait for it begin",
      ),
  }),
  output: ShortSession,
  async run({ sessionId, now }, { door, key }) {
    const { id } = await findSession(door.client, sessionId);
    const asked = {
      ...(await door.callerEnv()),
      ...(now !== undefined && { now }),
      key,
    };
    const session = shortSession(await door.client.resumeSession(id, asked));
    return answer(
      `Session ${id} is ${session.state}${session.resume?.grade === undefined ? "" : ` (${session.resume.grade})`}.`,
      session,
    );
  },
});

export const endSession = tool({
  name: "end_session",
  title: "End a session",
  description:
    "Ends a session for good. What it holds can still be read, and forked.",
  input: z.strictObject({
    sessionId: sessionIdField,
    outcome: z.enum(["completed", "cancelled"]).default("completed"),
  }),
  output: ShortSession,
  async run({ sessionId, outcome }, { door: { client }, key }) {
    const { id } = await findSession(client, sessionId);
    const ended = await client.endSession(id, { outcome }, { key });
    const session = shortSession(ended);
    return answer(`Session ${id} is ${session.state}.`, session);
  },
});

export const forkSession = tool({
  name: "fork_session",
  title: "Fork a session",
  description:
    "Makes a new session that goes on from what a session was after a turn, conversation and files, in a directory of its own.",
  input: z.strictObject({
    sessionId: sessionIdField,
    turn: z
      .int()
      .min(0)
      .optional()
      .describe("After which turn; the newest one unless it is said"),
    name: z.string().min(1).max(200).optional(),
  }),
  output: ShortSession,
  async run({ sessionId, turn, name }, { door: { client }, key }) {
    const { id } = await findSession(client, sessionId);
    const wanted = {
      ...(turn !== undefined && { turn }),
      ...(name !== undefined && { name }),
    };
    const forked = await client.forkSession(id, wanted, { key });
    const session = shortSession(forked);
    return answer(
      lines(
        `Session ${forked.id} goes on from ${id} in ${oneLine(forked.cwd)}.`,
        `Next: ${callOf("invoke_agent", { agentName: forked.agent, continueSessionId: forked.id, prompt: "…" })}`,
      ),
      session,
    );
  },
});
