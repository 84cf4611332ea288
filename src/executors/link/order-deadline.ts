import type { LinkMethod } from "../../contract/link.ts";

/** Orders that touch files, or only memory: a flush on a busy disk may take seconds, not more. */
const SOON_MS = 30_000;
/** Orders that see processes gone, or programs answer, before they are answered themselves. */
const LATER_MS = 60_000;

/**
 * How long an order may go unanswered over a link that stands. What is not named here moves whole workspaces and takes
 * as long as that takes; `hello` has its own deadline.
 */
export const orderDeadlines: Readonly<Partial<Record<LinkMethod, number>>> = {
  start: LATER_MS,
  executions: LATER_MS,
  survivors: LATER_MS,
  clear: LATER_MS,
  agents: LATER_MS,
  look: LATER_MS,
  attach: SOON_MS,
  prompt: SOON_MS,
  cancel: SOON_MS,
  answer: SOON_MS,
  stop: SOON_MS,
  acknowledge: SOON_MS,
  forget: SOON_MS,
  retire: SOON_MS,
  workspace: SOON_MS,
  release: SOON_MS,
};
