import { createHmac } from "node:crypto";
import { HOME_VARIABLES } from "../../contract/agent/home-variables.ts";
import type { SessionId } from "../../contract/base/id.ts";
import { isTerminal } from "../../contract/session/state.ts";
import type { State } from "../../session/state/state.ts";

export type Environment = Readonly<Record<string, string>>;

interface Kept {
  /** Of who asked last. */
  newest: Environment;
  newestLabel: string | null;
  /** The newest environment with each set of credentials, by its label. */
  labelled: Map<string, Environment>;
  /** Something waits, an agent runs, or the state names one of the labels. */
  isNeeded: boolean;
}

/** Sessions in which nothing waits and no agent runs; those that were asked longest ago are forgotten first. */
const MAX_IDLE = 1000;

/**
 * The environments of the people who asked for agents, in memory alone: they hold secrets of all kinds. The journal has
 * labels of credentials: keyed digests, which say nothing but whether two are the same. A label is the same after a restart
 * of the server, the environment is gone until somebody asks with the same credentials again.
 */
export class CallerEnvironments {
  readonly #key: string;
  readonly #kept = new Map<SessionId, Kept>();

  /** The key must be a secret of the home: who has it can try values on a label. */
  constructor(key: string) {
    this.#key = key;
  }

  /** The label of these login variables in one session. Another session has another label for the same ones. */
  label(session: SessionId, credentials: Environment): string {
    const sorted = Object.entries(credentials).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    );
    return createHmac("sha256", this.#key)
      .update(`credentials\0${session}\0${JSON.stringify(sorted)}`)
      .digest("base64url");
  }

  /** Somebody asked. The label is null for an agent that has no login variables. */
  remember(session: SessionId, given: Environment, label: string | null): void {
    const newest = withoutHome(given);
    const { labelled = new Map<string, Environment>(), isNeeded = false } =
      this.#kept.get(session) ?? {};
    if (label !== null) labelled.set(label, newest);
    this.#kept.delete(session);
    const kept = { newest, newestLabel: label, labelled, isNeeded };
    this.#kept.set(session, kept);
    this.#dropIdle();
  }

  /** An agent is about to be started with this environment under this label, whoever asks meanwhile. */
  hold(session: SessionId, env: Environment, label: string): void {
    const kept = this.#kept.get(session);
    if (kept !== undefined) kept.labelled.set(label, env);
  }

  /** The environment of who asked last; undefined when nobody did since the server was started. */
  newest(session: SessionId): Environment | undefined {
    return this.#kept.get(session)?.newest;
  }

  /** The environment that was last given with these credentials. */
  find(session: SessionId, label: string): Environment | undefined {
    return this.#kept.get(session)?.labelled.get(label);
  }

  /** Forgets what the session does not need any more: labels that nothing in it names, or all when it is closed. */
  review(state: State): void {
    const kept = this.#kept.get(state.id);
    if (kept === undefined) return;
    // What is still to be captured is looked at with the agent's environment.
    if (
      isClosed(state) &&
      state.execution === null &&
      state.checkpoints.due === null
    )
      return this.forget(state.id);
    const named = labelsIn(state);
    kept.isNeeded = state.prompts.queue.length > 0 || state.execution !== null;
    for (const label of kept.labelled.keys())
      if (named.has(label)) kept.isNeeded = true;
      else if (label !== kept.newestLabel) kept.labelled.delete(label);
  }

  /** No agent is started for it any more. */
  forget(session: SessionId): void {
    this.#kept.delete(session);
  }

  kept(): Iterable<SessionId> {
    return this.#kept.keys();
  }

  letGo(sessions: ReadonlySet<SessionId>): void {
    for (const session of sessions) this.forget(session);
  }

  #dropIdle(): void {
    if (this.#kept.size <= MAX_IDLE) return;
    const idle = [...this.#kept].filter(([, { isNeeded }]) => !isNeeded);
    for (const [session] of idle.slice(0, -MAX_IDLE)) this.forget(session);
  }
}

/** Nobody can ask for its agent, unless it is taken out of the trash again. */
export const isClosed = ({ lifecycle, deleted_at }: State): boolean =>
  isTerminal(lifecycle.name) || deleted_at !== null;

/** Of prompts that wait, that have a turn or that wait for a decision, and of the agent that runs. */
const labelsIn = ({
  prompts: { queue, unresolved },
  lifecycle,
  execution,
}: State): Set<string | undefined> =>
  new Set([
    ...queue.map(({ credentials }) => credentials),
    ...unresolved.map(({ credentials }) => credentials),
    lifecycle.name === "RUNNING" ? lifecycle.turn.credentials : undefined,
    execution?.credentials,
  ]);

/** Where an agent keeps its things is part of the session, and not of who asks for it. */
export const withoutHome = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !HOME_VARIABLES.includes(name)),
  );
