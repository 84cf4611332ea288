import { HOME_VARIABLES } from "../contract/home-variables.ts";
import type { ExecutionId, SessionId } from "../contract/id.ts";

export type Environment = Readonly<Record<string, string>>;

/** Of more sessions none is remembered: the oldest ones fall back on the server's environment. */
const MAX_KEPT = 1000;

/**
 * The environments of the people who asked for agents, in memory alone: they hold secrets of all kinds. After a restart of
 * the server its own environment counts, until somebody asks again.
 */
export class CallerEnvironments {
  /** The newest one of each session, oldest first. */
  readonly #kept = new Map<SessionId, Environment>();
  /** What each execution is known to have the credentials of. */
  readonly #compared = new Map<ExecutionId, Environment>();

  remember(session: SessionId, given: Environment | undefined): void {
    if (given === undefined) return;
    const env = withoutHome(given);
    const before = this.#kept.get(session);
    const isKnown = JSON.stringify(before) === JSON.stringify(env);
    put(this.#kept, session, isKnown && before !== undefined ? before : env);
  }

  /** Whoever forks a session asks for an agent like its own. */
  inherit(fork: SessionId, parent: SessionId): void {
    this.remember(fork, this.#kept.get(parent));
  }

  of(session: SessionId): Environment {
    return this.#kept.get(session) ?? NOTHING;
  }

  /** The execution runs with the credentials that it would be started with. */
  compared(execution: ExecutionId, env: Environment): void {
    put(this.#compared, execution, env);
  }

  isCompared(execution: ExecutionId, env: Environment): boolean {
    return this.#compared.get(execution) === env;
  }
}

const NOTHING: Environment = {};

/** Where an agent keeps its things is part of the session, and not of who asks for it. */
const withoutHome = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !HOME_VARIABLES.includes(name)),
  );

const put = <K, V>(map: Map<K, V>, key: K, value: V): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
};
