/** Bringing the agent up, and giving it work once it is. */
import { messageId } from "../../contract/base/id.ts";
import { textOf } from "../../contract/base/content.ts";
import type { ResumeTrigger } from "../../contract/agent/resume.ts";
import type { Execution } from "../state/execution.ts";
import { isQueueHeld } from "../state/quota/held-queue.ts";
import type { QueuedPrompt, State } from "../state/state.ts";
import { losesImages } from "../state/taken.ts";
import type { Draft } from "./draft.ts";
import { recordFilled } from "./quota/filled.ts";
import { stop } from "./stop.ts";
import { noteBudget } from "./turn.ts";

/** Asks for the agent. When it is being stopped, it is brought back after that. */
export const askForAgent = (
  draft: Draft,
  trigger: ResumeTrigger,
  lent: { credentials?: string } = {},
): void => {
  const { lifecycle, execution, workspace, deleted_at } = draft.state;
  if (deleted_at !== null) return;
  if (lifecycle.name === "STARTING" && execution?.phase.kind !== "stopping")
    return;
  if (lifecycle.name === "RUNNING" || execution?.phase.kind === "ready") return;
  draft.emit({ type: "session.resume.requested", data: { trigger, ...lent } });
  draft.changed(
    lifecycle.name,
    "STARTING",
    trigger === "start" ? "start" : "resume",
  );
  if (execution === null)
    draft.emit({
      type: "session.agentctl_starting",
      data: { runtime: workspace.place.kind },
    });
};

/**
 * Starts the next turn when the agent is free and a prompt waits; asks for the agent when there is none. Unless the
 * workspace was looked at this moment, it is looked at first: what changed since the last capture is not the turn's doing.
 */
export const startNextTurn = (draft: Draft, isLookedAt = false): void => {
  noteBudget(draft);
  const { lifecycle, prompts, execution, turns, agent, budget } = draft.state;
  const prompt = prompts.queue[0];
  if (budget.reached !== null) return;
  if (prompt === undefined || lifecycle.name !== "WAITING_FOR_INPUT") return;
  // The time of a quota may have come, also that of an agent that the session goes back to.
  recordFilled(draft);
  if (isQueueHeld(draft.state)) return;
  if (execution === null) return askForAgent(draft, "prompt");
  if (execution.phase.kind !== "ready" || isHeldUp(draft.state)) return;

  if (hasOtherCredentials(execution, prompt))
    return restart(draft, execution, prompt);

  const turn = prompt.turn ?? turns.last + 1;
  if (!isLookedAt && isLookNeeded(draft.state))
    return draft.emit({
      type: "session.checkpoint.requested",
      data: { kind: "start", turn },
    });
  draft.emit({
    type: "session.turn.started",
    data: { turn, prompt_id: prompt.id, epoch: execution.epoch },
  });
  if (prompt.turn === null)
    draft.emit({
      type: "session.message.added",
      data: {
        message: {
          id: messageId(draft.nextSeq),
          turn,
          role: "user",
          text: textOf(prompt.content),
          at: draft.at,
        },
      },
    });
  if (losesImages(agent.abilities, prompt.content))
    draft.notice(
      "warning",
      "images_left_out",
      `The agent ${agent.definition.agent} does not take images: it is told that there was one.`,
    );
  draft.changed("WAITING_FOR_INPUT", "RUNNING", "prompt");
};

/** A session that rests because its agent had nothing to do goes on when a prompt may begin. A person's own pause holds. */
export const endRest = (draft: Draft): void => {
  const { lifecycle, prompts } = draft.state;
  if (lifecycle.name !== "PAUSED" || lifecycle.idle !== true) return;
  recordFilled(draft);
  if (prompts.queue.length === 0 || isQueueHeld(draft.state)) return;
  noteBudget(draft);
  if (draft.state.budget.reached === null) askForAgent(draft, "prompt");
};

/** Who sends no credentials takes whatever the agent has. */
const hasOtherCredentials = (
  { epoch, credentials, without = [] }: Execution,
  prompt: QueuedPrompt,
): boolean =>
  prompt.not_with_epoch === epoch ||
  (prompt.credentials !== undefined &&
    prompt.credentials !== credentials &&
    !without.includes(prompt.credentials));

/** Between two turns: another execution goes on with the agent's own session, with the credentials of who sent the prompt. */
const restart = (
  draft: Draft,
  execution: Execution,
  prompt: QueuedPrompt,
): void => {
  const isKnown = [execution, prompt].every(({ credentials }) =>
    isDigest(credentials),
  );
  draft.notice(
    "info",
    "credentials_changed",
    isKnown
      ? "The agent runs with other credentials than those that the prompt was sent with. It is started again before it gets the prompt."
      : "Nothing says that the agent runs with the credentials that the prompt was sent with. It is started again before it gets the prompt.",
  );
  stop(draft, "credentials_changed");
  askForAgent(draft, "prompt");
};

/** Older releases gave labels that say nothing beyond their own prompts (`7.1`), or none. */
const isDigest = (label: string | undefined): boolean =>
  label !== undefined && !label.includes(".");

/** Where the last capture failed there is nothing to compare with, and a prompt does not wait for a second failure. */
const isLookNeeded = ({
  checkpoints: { enabled, failure },
  workspace,
}: State): boolean => enabled && (workspace.shared || failure === null);

/** What the turn before left is captured first, and a rewind is finished. */
const isHeldUp = ({ checkpoints: { due, rewinding } }: State): boolean =>
  due !== null || rewinding !== null;
