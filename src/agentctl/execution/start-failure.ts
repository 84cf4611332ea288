import { loginAdvice, type LoginWords } from "../../agents/launch/login.ts";
import { describeEnding, type Ending } from "../../contract/session/ending.ts";
import type { StartFailure } from "../../contract/link/report.ts";

export interface Failure {
  failure: StartFailure;
  /** What happened, then what to do. */
  message: string;
}

/** What is said about an agent that could not be brought to take prompts, and logs in with `login` if that is known. */
export const failed = (
  failure: StartFailure,
  what: string,
  login?: LoginWords,
): Failure => {
  const todo =
    failure === "not_logged_in" ? loginAdvice(login) : advice[failure];
  return {
    failure,
    message: `${sentence(what)} ${todo}, then resume the session.`,
  };
};

/** An agent that ended by itself. 126 and 127 are how a shell says that there is no such program, or that it may not run it. */
export const endedEarly = (ending: Ending, stderr: string): Failure => {
  const missing =
    ending.kind === "exited" && (ending.code === 126 || ending.code === 127);
  const words = stderr === "" ? " and said nothing" : `: ${lastOf(stderr)}`;
  return failed(
    missing ? "agent_not_installed" : "agent_exited",
    `The agent ${describeEnding(ending)} before it took prompts${words}`,
  );
};

/** An agent that is there and does nothing may have said why. */
export const withLastWords = (what: string, stderr: string): string =>
  stderr === "" ? what : `${sentence(what)} It said: ${lastOf(stderr)}`;

const advice: Record<Exclude<StartFailure, "not_logged_in">, string> = {
  agent_not_installed: "Install it, or correct its command in config.json",
  agent_exited: "See to that, or run it in a terminal to see more",
  agent_not_answering: "Run it in a terminal to see what it waits for",
  agent_not_reading: "Run it in a terminal to see what it waits for",
  wrong_protocol_version: "Install a version of the agent that fits",
  agent_error: "See to that, or run it in a terminal to see more",
  workspace_missing: "Put it back",
  workspace_busy: "Recover the session",
  out_of_disk: "Make room",
  sandbox_unavailable: "See to that",
  restriction_not_held: "Change what was asked for, or leave it out",
};

const sentence = (text: string): string =>
  /[.!?]$/.test(text) ? text : `${text}.`;

const MAX_WORDS = 1000;

const lastOf = (stderr: string): string => stderr.trim().slice(-MAX_WORDS);
