import type { ResumeReason } from "../../contract/agent/resume.ts";
import type { SessionStatus, Trouble } from "../../contract/session/session.ts";
import { contextWords, usageWords } from "../../contract/base/usage.ts";
import { unreachable } from "../../kit/unreachable.ts";
import { asCalled } from "../terminal/program.ts";
import { oneLine } from "../terminal/sanitize.ts";
import { marked } from "../terminal/marked.ts";
import { quotaWords } from "./quota.ts";
import { resumeCommand } from "./next-command.ts";
import type { Palette } from "../terminal/palette.ts";
import { fields } from "../terminal/table.ts";

/** A sentence that says how things stand, what is wrong, then every field with its own name. */
export const statusText = (
  status: SessionStatus,
  checkpoint: string | null,
  palette: Palette,
  program: string,
  now: Date,
): string => {
  const { session_id: _, error_message, troubles, ...rest } = status;
  const { usage, context, quota, ...named } = rest;
  const tokens = {
    usage: usage && usageWords(usage),
    context: context && contextWords(context),
    quota: quotaWords({ quota }, now),
  };
  const pairs = Object.entries({ ...named, ...tokens, error_message })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, oneLine(String(value))] as const)
    .concat(checkpoint === null ? [] : [["checkpoint", checkpoint]]);
  const wrong = troubles.map(
    (trouble) =>
      `${palette.yellow(marked("! ", troubleWords(trouble, status.session_id, program)))}\n`,
  );
  return `${sentence(status, program)}\n${wrong.join("")}${fields(pairs, palette.dim)}`;
};

/** What is wrong, with the command that helps. A server of an older release names one itself. */
const troubleWords = (
  { code, text }: Trouble,
  id: string,
  program: string,
): string =>
  [asCalled(text, program), ...commandsFor(code, id, program)].join(" ");

const commandsFor = (
  code: Trouble["code"],
  id: string,
  program: string,
): string[] => {
  switch (code) {
    case "agentctl_unavailable":
      return [`\`${program} doctor\` says more.`];
    case "agent_gone":
    case "starting_too_long":
    case "workspace_busy":
      return [`Repair it with \`${program} session recover ${id}\`.`];
    case "agent_silent":
    case "agent_unheard":
    case "session_damaged":
      return [];
    default:
      return unreachable(code);
  }
};

const sentence = (status: SessionStatus, program: string): string => {
  const { session_id: id, state, is_agent_running, resume_reason } = status;
  if (is_agent_running) return `${id} is ${state} and its agent is running.`;
  if (state === "STARTING")
    return `${id} is STARTING: its agent is being started. One that is not installed is downloaded first, which may take minutes.`;
  return [
    `${id} is ${state} and its agent is not running.`,
    resume_reason === null ? "" : because(resume_reason),
    status.is_resumable
      ? `Bring it back with \`${resumeCommand(program, id)}\`.`
      : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
};

/** What the state's own name does not say. */
const because = (reason: ResumeReason): string => {
  switch (reason) {
    case "recently_seen":
      return "It was seen a moment ago.";
    case "agent_not_running":
      return "The agent can restore its own session.";
    case "agent_not_running_fresh_start":
      return "The agent gets a new session, with the history where it takes one.";
    case "not_resumable":
      return "The agent cannot restore a conversation: the workspace is there, and a prompt starts it without memory.";
    case "missing_resume_token":
      return "The agent's own session id was never learned, so it cannot be asked to restore it.";
    case "agent_session_missing":
      return "The agent's own session file is gone and nothing of it was saved: a prompt starts it without memory.";
    case "workspace_missing":
      return "Its working directory is gone and there is no checkpoint of it: put it back first.";
    case "workspace_not_a_directory":
      return "Its working directory is not a directory any more: put it back first.";
    case "agent_not_installed":
      return "The agent is not found here: install it, or define it in config.json again.";
    case "agentctl_unavailable":
      return "agentctl does not answer, so nobody knows more than the journal says.";
    case "deleted":
      return "It is in the trash: take it out first.";
    case "damaged":
      return "Its journal is damaged.";
    case "paused":
      return "";
    case "error":
      return "It could not be brought back.";
    case "ended":
      return "It has ended and will not run again.";
    default:
      return unreachable(reason);
  }
};
