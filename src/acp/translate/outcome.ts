/** What a prompt is answered with, once its turn is over. */
import type {
  PromptResponse,
  RequestError,
  StopReason,
} from "@agentclientprotocol/sdk";
import type { PromptStatus } from "../../client/prompt/prompt-status.ts";
import type { EventOf } from "../../contract/event/event.ts";
import { failed, loginMissing } from "./failure.ts";

export type Outcome =
  | { kind: "answer"; response: PromptResponse }
  | { kind: "error"; error: RequestError };

export const stopped = (stopReason: StopReason): Outcome => ({
  kind: "answer",
  response: { stopReason },
});

export const broken = (error: RequestError): Outcome => ({
  kind: "error",
  error,
});

/** Why an agent could not be started. */
export type FailedStart = Pick<
  EventOf<"session.state_changed">["data"],
  "message" | "failure"
>;

/** Null while the prompt is not over. */
export const outcomeOf = (
  status: PromptStatus,
  failedStart: FailedStart | null,
): Outcome | null => {
  switch (status.kind) {
    case "queued":
    case "running":
    case "needs_permission":
    case "goes_on":
    case "waits":
      return null;
    case "ended":
      return endOfTurn(status.end);
    case "withdrawn":
      return stopped("cancelled");
    case "interrupted":
      return interrupted(status.cut ?? { reason: "it was cut off" });
    case "uncertain":
      return UNCERTAIN;
    case "paused":
      return PAUSED;
    case "budget_reached":
      return SPENT;
    case "start_failed":
      return broken(notStarted(failedStart ?? { message: null }));
    case "session_ended":
      return ENDED;
    case "session_deleted":
      return DELETED;
  }
};

export const endOfTurn = ({
  outcome,
  stop_reason,
  error,
  failure,
}: EventOf<"session.turn.ended">["data"]): Outcome => {
  switch (outcome) {
    case "completed":
      return stopped(stopReasonOf(stop_reason));
    case "cancelled":
      return stopped(isLimit(stop_reason) ? "max_turn_requests" : "cancelled");
    case "refused":
      return stopped("refusal");
    case "failed": {
      const words = error ?? "The agent failed and did not say why.";
      return broken(
        failure === "not_logged_in"
          ? loginMissing(words)
          : failed(words, "turn_failed"),
      );
    }
  }
};

const KNOWN: readonly StopReason[] = [
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
];

const stopReasonOf = (reason: string): StopReason =>
  isLimit(reason)
    ? "max_turn_requests"
    : (KNOWN.find((known) => known === reason) ?? "end_turn");

/** Limits of ours that ended the turn. */
const isLimit = (reason: string): boolean =>
  reason === "max_tool_calls" || reason === "budget";

export const interrupted = ({
  reason,
  limit,
}: Pick<
  EventOf<"session.turn.interrupted">["data"],
  "reason" | "limit"
>): Outcome => {
  if (limit !== undefined)
    return broken(
      failed(
        `The agent's quota is used up${limit.resets_at === null ? "" : ` until ${limit.resets_at}`}. What it did so far is kept; send a prompt to go on then.`,
        "quota",
      ),
    );
  return broken(
    failed(
      `The turn was interrupted (${reason}). What the agent did so far is kept, and nothing was done twice; send a prompt to go on.`,
      "interrupted",
    ),
  );
};

const UNCERTAIN = broken(
  failed(
    "Nothing proves whether the agent took this prompt, so it was not sent again. Look at what was done, then send it again or something else.",
    "uncertain",
  ),
);
const ENDED = broken(
  failed("The session has ended. Start a new one to go on.", "session_ended"),
);
const PAUSED = broken(
  failed(
    "The session was paused, and the prompt waits in its queue. It runs when somebody resumes the session or sends another prompt.",
    "paused",
  ),
);
const SPENT = broken(
  failed(
    "The budget of the session is used up, and the prompt waits in its queue. It runs when somebody raises the budget.",
    "budget_reached",
  ),
);
const DELETED = broken(
  failed("The session was put into the trash.", "session_deleted"),
);

/** The agent could not be had for the prompt. */
export const notStarted = ({ message, failure }: FailedStart) => {
  const words = message ?? "The agent could not be started.";
  return failure === "not_logged_in"
    ? loginMissing(words)
    : failed(words, failure ?? "agent_error");
};
