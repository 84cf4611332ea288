import { access } from "node:fs/promises";
import type { AgentView } from "../../contract/agent/agent.ts";
import { keyVariables } from "../../contract/agent/login-variables.ts";
import {
  type AgentHome,
  fileIn,
  type FileIn,
  type Person,
} from "../state/agent-home.ts";
import { findProgram } from "./find-program.ts";

/** What counts as a login. Presence is looked at, never the content. */
export interface Login {
  /** What a person runs to log in, and the program that has to be installed for it. */
  command: string;
  program: string;
  /** The same where that program is not installed. */
  npx: string;
  /** Variables: any of them will do. */
  variables: readonly string[];
  /** Files below the agent's home: any of them will do. */
  files: readonly FileIn[];
  /** What it means that there is none of these: others may keep it in a place we cannot see. */
  otherwise: "no" | "unknown";
}

/** What a person is told to do, as the beginning of a sentence. */
export const loginAdvice = (login: LoginWords | undefined): string => {
  if (login === undefined)
    return "Log in with the agent's own command in a terminal";
  const keys = keyVariables(login.variables);
  const set =
    keys.length === 0 ? "" : `, or set ${keys.join(" or ")} in your terminal`;
  return `Log in with \`${login.command}\` (\`${login.npx}\` where \`${login.program}\` is not installed)${set}`;
};

export type LoginWords = Pick<
  Login,
  "command" | "program" | "npx" | "variables"
>;

/** The command that works with this PATH. */
export const loginCommand = async (
  { command, program, npx }: LoginWords,
  path: string,
): Promise<string> =>
  (await findProgram(program, path)) === null ? npx : command;

/** An agent of ours that needs no login is logged in. */
export const loginOf = async (
  {
    login,
    home,
    configured = false,
  }: { login?: Login; home?: AgentHome; configured?: boolean },
  person: Person,
): Promise<NonNullable<AgentView["login"]>> => {
  if (login === undefined) return configured ? "unknown" : "yes";
  if (login.variables.some((name) => person.env[name])) return "yes";
  for (const file of login.files)
    if (await isThere(fileIn(home ?? NO_HOME, file, person))) return "yes";
  return login.otherwise;
};

const NO_HOME: AgentHome = { roots: {}, settings: [] };

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
