/** What finds a session or a prompt again by a key. */
import * as z from "zod";
import { endpoint } from "./route-table.ts";
import { AgentId } from "../agent/agent.ts";
import { Prompt } from "../session/prompt.ts";
import { Session } from "../session/session.ts";
import { IdempotencyKey, line } from "./request.ts";

export const MostRecentRequest = z.strictObject({
  agent: AgentId,
  cwd: line(4096),
});
export type MostRecentRequest = z.infer<typeof MostRecentRequest>;

export const PromptsQuery = z.strictObject({
  key: IdempotencyKey,
  after: line(200).optional(),
});
export const PromptPage = z.object({
  prompts: z.array(Prompt),
  next: z.string().nullable(),
});
export type PromptPage = z.infer<typeof PromptPage>;

export const findRoutes = {
  chooseMostRecent: {
    ...endpoint("chooseMostRecent"),
    summary:
      "Choose the session of an agent and a directory that was last asked something; the same key chooses the same one again",
    body: MostRecentRequest,
    answer: Session,
  },
  findPrompts: {
    ...endpoint("findPrompts"),
    summary:
      "Find the prompts that were given with an idempotency key, in whatever session",
    query: PromptsQuery,
    answer: PromptPage,
  },
} as const;
