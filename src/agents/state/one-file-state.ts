import { putLines, type Rewrite } from "./put-file.ts";
import {
  isSafeId,
  savedFile,
  type SessionState,
  type TranscriptWhere,
} from "./session-state.ts";

const NAME = "session.jsonl";

/** One conversation at one place. */
export interface Spot {
  cwd: string;
  token: string;
}

/** The state of an agent that keeps each session in one file of JSON lines. */
export const oneFileState = (agent: {
  find(where: TranscriptWhere, token: string): Promise<string | null>;
  /** Where the agent looks for a session of that id. */
  pathOf(to: TranscriptWhere, token: string): Promise<string> | string;
  /** What has to change inside when id or directory do. */
  rewrite(from: Spot, to: Spot): Rewrite;
  newToken(): string;
}): SessionState => ({
  newToken: () => agent.newToken(),

  async collect(where, token) {
    const path = await agent.find(where, token);
    return path === null ? [] : [{ name: NAME, path }];
  },

  async put(saved, from, to) {
    const { path: source } = savedFile(saved, NAME);
    for (const token of [to.token, agent.newToken()]) {
      if (!isSafeId(token)) throw new Error(`${token} is no session id`);
      const rewrite = agent.rewrite(from, { cwd: to.cwd, token });
      const path = await agent.pathOf(to, token);
      if ((await putLines(source, path, rewrite)) !== "taken") return { token };
    }
    throw new Error("a fresh session id is taken");
  },
});
