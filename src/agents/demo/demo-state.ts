import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { demoHome, existingSession } from "./session-path.ts";
import { oneFileState } from "../state/one-file-state.ts";

/** The demo agent's session file: its header bears the id and the directory. */
export const demoState = oneFileState({
  find: ({ home, env }, token) => existingSession(demoHome(env, home), token),
  pathOf: ({ home, env }, token) =>
    join(demoHome(env, home), "sessions", `${token}.jsonl`),
  rewrite: (from, to) => (record) =>
    record["type"] === "session" &&
    (from.token !== to.token || from.cwd !== to.cwd)
      ? { ...record, id: to.token, cwd: to.cwd }
      : null,
  newToken: () => randomUUID(),
});
