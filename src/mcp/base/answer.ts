/** What a tool answers. The text says everything, because some clients give their model only the text, others only the rest. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { RepriseError } from "../../contract/problem/problem.ts";
import type { ProblemCode } from "../../contract/problem/problem.ts";

export const answer = (
  text: string,
  structuredContent: Record<string, unknown>,
): CallToolResult => ({
  content: [{ type: "text", text }],
  structuredContent,
});

/** A refusal: one sentence about what is wrong, and one about what to do. */
export const refusal = (words: string): CallToolResult => ({
  content: [{ type: "text", text: `Error: ${words}` }],
  isError: true,
});

/** What went wrong in words for the model that called. */
export const refusalOf = (error: unknown): CallToolResult => {
  if (error instanceof RepriseError)
    return refusal(withAdvice(error.message, advice[error.code]));
  if (error instanceof Error && error.name === "ServerUnreachable")
    return refusal(
      withAdvice(
        error.message,
        "Nothing is lost: call again when the server is up (`reprise up` starts it).",
      ),
    );
  throw error;
};

const withAdvice = (words: string, then: string | undefined): string =>
  then === undefined ? words : `${words} ${then}`;

const advice: Partial<Record<ProblemCode, string>> = {
  session_not_found: "list_sessions shows the sessions that there are.",
  session_ended:
    "It takes no more prompts: fork_session makes one that goes on from it.",
  session_deleted: "`reprise session undelete` brings it back.",
  task_not_found: "`reprise task list` shows the tasks that there are.",
  permission_not_found: "list_pending_permissions shows those that wait.",
  permission_closed: "get_session shows how the session stands.",
  unknown_option: "list_pending_permissions shows the options.",
  unknown_agent: "list_agents shows the agents that there are.",
  unknown_profile: "list_agents shows the profiles that there are.",
  agent_not_installed: "list_agents shows how to install it.",
  cwd_not_found: "Give the absolute path of a directory that exists as cwd.",
  cwd_not_a_directory: "Give the absolute path of a directory as cwd.",
  wrong_state: "get_session shows how the session stands.",
  idempotency_conflict:
    "This call was made before with other arguments: make a new call.",
  queue_full: "wait_for_session waits until there is room.",
  unauthorized: "Check REPRISE_TOKEN, or the home that --home names.",
};
