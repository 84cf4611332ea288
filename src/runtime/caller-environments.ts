import { HOME_VARIABLES } from "../contract/home-variables.ts";
import type { ExecutionId, SessionId } from "../contract/id.ts";
import { isTerminal } from "../contract/state.ts";
import type { State } from "../session/state.ts";

export type Environment = Readonly<Record<string, string>>;

/** Somebody who asked for an agent. `label` names their credentials; null when they brought none. */
export interface Caller {
  env: Environment;
  label: string | null;
}

interface Kept {
  newest: Caller;
  /** The newest environment with each set of credentials, by its label, oldest first. */
  labelled: Map<string, Labelled>;
}

interface Labelled {
  env: Environment;
  credentials: string;
}

/** Of more sessions none is remembered: the oldest ones fall back on the server's environment. */
const MAX_KEPT = 1000;
/** Sets of credentials in one session. */
const MAX_LABELS = 16;

/**
 * The environments of the people who asked for agents, in memory alone: they hold secrets of all kinds. After a restart of
 * the server its own environment counts, until somebody asks again. The journal has labels of credentials, which say
 * nothing about them but whether two are the same.
 */
export class CallerEnvironments {
  readonly #term: number;
  readonly #kept = new Map<SessionId, Kept>();
  /** The callers that each execution is known to have the credentials of. */
  readonly #compared = new Map<ExecutionId, Set<string | null>>();
  #labels = 0;

  constructor(term: number) {
    this.#term = term;
  }

  /** Answers with the label of the credentials; null when there are none among what was given. */
  remember(
    session: SessionId,
    given: Environment,
    credentials: Environment = {},
  ): string | null {
    const env = withoutHome(given);
    const labelled =
      this.#kept.get(session)?.labelled ?? new Map<string, Labelled>();
    const label = this.#labelOf(labelled, env, credentials);
    put(this.#kept, session, { newest: { env, label }, labelled }, MAX_KEPT);
    return label;
  }

  /** Whoever forks a session asks for an agent like its own. */
  inherit(fork: SessionId, parent: SessionId): void {
    const { newest } = this.#kept.get(parent) ?? {};
    if (newest !== undefined) this.remember(fork, newest.env);
  }

  /** The environment that was last given with these credentials, or else the newest one. */
  of(session: SessionId, label?: string | null): Caller {
    const kept = this.#kept.get(session);
    const found = label == null ? undefined : kept?.labelled.get(label);
    if (found !== undefined) return { env: found.env, label: label ?? null };
    return kept?.newest ?? NOBODY;
  }

  knows(session: SessionId, label: string): boolean {
    return this.#kept.get(session)?.labelled.has(label) === true;
  }

  /** No agent is started for it any more. */
  forget(session: SessionId): void {
    this.#kept.delete(session);
  }

  /** The execution runs with the credentials that it would be started with for this caller. */
  compared(execution: ExecutionId, { label }: Caller): void {
    const labels = this.#compared.get(execution) ?? new Set();
    put(this.#compared, execution, labels.add(label), MAX_KEPT);
  }

  isCompared(execution: ExecutionId, { label }: Caller): boolean {
    return this.#compared.get(execution)?.has(label) === true;
  }

  #labelOf(
    labelled: Map<string, Labelled>,
    env: Environment,
    given: Environment,
  ): string | null {
    if (Object.keys(given).length === 0) return null;
    const credentials = JSON.stringify(given);
    const [known] =
      [...labelled].find(([, each]) => each.credentials === credentials) ?? [];
    // Labels of other servers, in the same journal, have other terms.
    const label = known ?? `${this.#term}.${++this.#labels}`;
    put(labelled, label, { env, credentials }, MAX_LABELS);
    return label;
  }
}

/** Nobody can ask for its agent, unless it is taken out of the trash again. */
export const isClosed = ({ lifecycle, deleted_at }: State): boolean =>
  isTerminal(lifecycle.name) || deleted_at !== null;

const NOBODY: Caller = { env: {}, label: null };

/** Where an agent keeps its things is part of the session, and not of who asks for it. */
const withoutHome = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !HOME_VARIABLES.includes(name)),
  );

const put = <K, V>(map: Map<K, V>, key: K, value: V, most: number): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
};
