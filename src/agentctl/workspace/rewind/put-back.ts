import { join } from "node:path";
import type { Agent } from "../../../agents/agent/agent.ts";
import type {
  SessionState,
  StateFile,
  TranscriptWhere,
} from "../../../agents/state/session-state.ts";
import type { Memory } from "../../../contract/session/checkpoint.ts";
import type { TranscriptMark } from "../../../contract/link/link.ts";
import { TranscriptMarker } from "../../execution/journal/transcript.ts";
import type { CheckpointStorage } from "../../storage/checkpoint-storage.ts";

/** The agent's own session is where the agent will look for it, under this id and with this content. */
export interface PutBack {
  token: string;
  transcript: TranscriptMark | null;
}

/** Puts an agent's own session back as a checkpoint has it. It only creates: nothing that is there changes. */
export const putBack = async (
  storage: CheckpointStorage,
  agent: Agent,
  where: TranscriptWhere,
  memory: Memory,
): Promise<PutBack> => {
  const { state } = agent;
  if (state === undefined)
    throw new Error(`${agent.name} keeps nothing that could be put back`);
  const token = await storage.withScratch(async (scratch) =>
    daemon(state, await savedIn(storage, memory.tree, scratch), where, memory),
  );
  const path = (await agent.transcript?.(where, token)) ?? null;
  const transcript =
    path === null ? null : await new TranscriptMarker().mark(path);
  return { token, transcript };
};

const daemon = async (
  state: SessionState,
  files: readonly StateFile[],
  where: TranscriptWhere,
  { token, cwd, renamed }: Memory,
): Promise<string> => {
  const to = { ...where, token: renamed ? state.newToken() : token };
  return (await state.put(files, { cwd, token }, to)).token;
};

const savedIn = async (
  storage: CheckpointStorage,
  tree: string,
  scratch: string,
): Promise<StateFile[]> => {
  const vault = await storage.vault();
  const into = join(scratch, "saved");
  const plan = await vault.planRestore({ tree, into, cacheKey: null });
  await vault.restore(plan);
  return (await vault.list(tree))
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => ({ name: path, path: join(into, path) }));
};
