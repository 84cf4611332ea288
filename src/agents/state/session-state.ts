/** What must be kept of an agent's own session so that it resumes elsewhere. */
export interface SessionState {
  /** The files, by portable names; none when the agent has no such session. `scratch` is an empty directory for what must be exported first. */
  collect(
    where: TranscriptWhere,
    token: string,
    scratch: string,
  ): Promise<StateFile[]>;
  /**
   * Puts saved files where the agent will look for them. It only creates: what is there already is never overwritten or
   * removed, and shared databases and indexes are not touched. Returns the token to resume with: the wanted one, unless
   * another conversation stands under it already; then the files are placed under a fresh one.
   */
  put(
    saved: readonly StateFile[],
    from: { cwd: string; token: string },
    to: TranscriptWhere & { token: string },
  ): Promise<{ token: string }>;
  /** A fresh native id in this agent's format. */
  newToken(): string;
  /** Whether the agent still has that session, for one that keeps it in no file of its own. */
  has?(where: TranscriptWhere, token: string): Promise<boolean>;
}

/** Where an agent runs, for finding its own session files. */
export interface TranscriptWhere {
  /** The home directory the agent runs with. */
  home: string;
  cwd: string;
  env: Record<string, string>;
  /** It runs in a sandbox, where it can write what its programs are made of: none of them may be started outside. */
  isSandboxed?: boolean;
}

export interface StateFile {
  /** The same on every machine; no path. */
  name: string;
  path: string;
}

/** Ids come from agents and checkpoints, and become parts of paths. */
export const isSafeId = (id: string): boolean => /^[\w-]{1,128}$/.test(id);

/** The saved file of that name. */
export const savedFile = (
  saved: readonly StateFile[],
  name: string,
): StateFile => {
  const file = saved.find((each) => each.name === name);
  if (file === undefined)
    throw new Error(`${name} of the agent's session was not saved`);
  return file;
};
