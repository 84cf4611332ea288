import * as z from "zod";
import { PromptId } from "../../contract/base/id.ts";
import { answer } from "../base/answer.ts";
import { findSession } from "../base/find-session.ts";
import { tool } from "../base/tool.ts";
import { FormState } from "../work/form.ts";
import { InvocationResult } from "../work/result.ts";
import { settle } from "../work/settle.ts";
import { latestPrompt, workOf } from "../work/work.ts";
import { stopWork } from "../work/cancel.ts";
import { goOnAfterForm } from "./invoke.ts";
import { sessionIdField, shortSession, ShortSession } from "./session-words.ts";

export const waitForSession = tool({
  name: "wait_for_session",
  title: "Wait for a session",
  description:
    "Waits for the result of a prompt that invoke_agent left working, or of the last prompt that a session was given. Answers as invoke_agent does.",
  input: z.strictObject({
    sessionId: sessionIdField,
    promptId: PromptId.optional().describe(
      "The promptId that invoke_agent answered with; the session's last prompt unless it is said",
    ),
    waitSeconds: z
      .number()
      .min(0)
      .max(1500)
      .optional()
      .describe("How long to wait; 0 says how it stands now"),
  }),
  output: InvocationResult,
  readOnly: true,
  alwaysLoad: true,
  async run({ sessionId, promptId, waitSeconds }, call) {
    const state = FormState.safeParse(call.ctx.mcpReq.requestState());
    if (state.success) return goOnAfterForm(call, state.data, { waitSeconds });
    const { client } = call.door;
    const session = await findSession(client, sessionId);
    const prompt = promptId ?? (await latestPrompt(client, session));
    const work = await workOf(client, session, prompt);
    return settle(call, work, { waitSeconds, mayHandle: false });
  },
});

export const cancelTurn = tool({
  name: "cancel_turn",
  title: "Cancel the turn",
  description:
    "Cancels what the agent of a session is doing, or is about to do. The session stays, with everything that was done.",
  input: z.strictObject({ sessionId: sessionIdField }),
  output: ShortSession,
  async run({ sessionId }, { door: { client }, key }) {
    const found = await findSession(client, sessionId);
    await stopWork(client, found, key);
    const session = shortSession(await client.showSession(found.id));
    return answer(`The turn of session ${found.id} is cancelled.`, session);
  },
});
