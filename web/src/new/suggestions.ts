/** What the form for a new session offers: agents in their order, directories and models that were used before. */
import type { AgentView } from "../../../src/contract/agent/agent.ts";
import type { Session } from "../../../src/contract/session/session.ts";
import { choicesOf } from "../dock/choices.ts";
import { agentWords } from "../words/agent-words.ts";

const ranks = { ready: 0, logged_out: 1, missing: 2 } as const;

/** Those that are ready first. Demo agents come after all that can be started, and the two special ones only where they are chosen. */
export const tileOrder = (
  agents: readonly AgentView[],
  chosen: string | null,
): AgentView[] =>
  agents
    .filter(({ id }) => !id.startsWith("demo-") || id === chosen)
    .map((agent, i) => ({ agent, rank: rankOf(agent), i }))
    .sort((one, other) => one.rank - other.rank || one.i - other.i)
    .map(({ agent }) => agent);

const rankOf = (agent: AgentView): number =>
  agent.id.startsWith("demo") ? 1.5 : ranks[agentWords(agent).standing];

/**
 * The one that somebody chose or that the address names, where it can be started. Else one that is ready as far as that is known: the
 * last one that was used, or the first. Only where none is ready, another one that can be started; null where none can.
 */
export const agentToChoose = (
  agents: readonly AgentView[],
  { chosen, last }: { chosen: string | null; last: string | null },
): string | null => {
  const startable = tileOrder(agents, last).filter(
    ({ installed }) => installed,
  );
  if (agents.some(({ id, installed }) => id === chosen && installed))
    return chosen;
  const ready = startable.filter(
    (agent) => agentWords(agent).standing === "ready",
  );
  const found =
    ready.find(({ id }) => id === last) ??
    ready.find(({ id }) => !id.startsWith("demo-")) ??
    startable[0];
  return found?.id ?? null;
};

const MAX_DIRECTORIES = 30;

/** Where sessions work, besides worktrees and directories that were made for them: those of this page first, then the newest. */
export const recentDirectories = (
  kept: readonly string[],
  sessions: readonly Pick<Session, "cwd" | "worktree_path" | "id">[],
): string[] =>
  [
    ...new Set([
      ...kept,
      ...sessions
        .filter(
          ({ cwd, worktree_path }) =>
            worktree_path === null && !OWN_DIRECTORY.test(cwd),
        )
        .map(({ cwd }) => cwd),
    ]),
  ].slice(0, MAX_DIRECTORIES);

const OWN_DIRECTORY = /\/ses_[0-9a-z]{26}\/?$/;

/** The models or modes that this agent offered, when it last told. */
export const offeredBefore = (
  what: "model" | "mode",
  agent: string | null,
  sessions: readonly Pick<Session, "agent" | "offered">[],
): readonly { id: string; name: string }[] =>
  sessions
    .filter((session) => session.agent === agent)
    .flatMap(({ offered }) => choicesOf(offered))
    .find((choice) => choice.what === what)?.values ?? [];
