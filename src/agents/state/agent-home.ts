import { join } from "node:path";

/** Where an agent keeps its things, and how that is moved. */
export interface AgentHome {
  /** Directories, by the variable that moves each, and where it is without the variable: below the home directory. */
  roots: Readonly<Record<string, string>>;
  /** What is the agent's alone in each of them, where others keep their things too; all of it when this is not said. */
  alone?: string;
  /** Settings that a home of its own begins with. */
  settings: readonly FileIn[];
}

/** A file below one of the roots. */
export interface FileIn {
  root: string;
  name: string;
}

export interface Person {
  home: string;
  env: Record<string, string>;
}

export const rootOf = (
  { roots }: AgentHome,
  root: string,
  { home, env }: Person,
): string => env[root] || join(home, roots[root] ?? "");

export const fileIn = (
  agentHome: AgentHome,
  { root, name }: FileIn,
  person: Person,
): string => join(rootOf(agentHome, root, person), name);

/** The directories that nobody but the agent keeps anything in. */
export const ownDirectories = (
  agentHome: AgentHome,
  person: Person,
): string[] =>
  Object.keys(agentHome.roots).map((root) =>
    join(rootOf(agentHome, root, person), agentHome.alone ?? ""),
  );
