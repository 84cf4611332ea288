import { rm } from "node:fs/promises";
import { join } from "node:path";
import { agentOf } from "../agents/registry.ts";
import type { ExecutionId, SessionId } from "../contract/id.ts";
import type { StartOrder } from "../contract/link.ts";
import { within } from "../kit/deadline.ts";
import { syncDirectory } from "../kit/durable-file.ts";
import { endMarked } from "../kit/marked-processes.ts";
import { bringUp } from "./bring-up.ts";
import { stop } from "./end.ts";
import { Execution } from "./execution.ts";
import { filesIn, makeDirectory } from "./hold/files.ts";
import { Journal } from "./journal.ts";
import type { Place } from "./place.ts";
import type { Ordered } from "./record.ts";
import { Refused } from "./refused.ts";

const PREDECESSOR_MS = 10_000;

/** All executions of this place. */
export class Executions {
  readonly #place: Place;
  readonly #executions = new Map<ExecutionId, Promise<Execution>>();
  readonly #epochs = new Map<SessionId, number>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** Starts an execution; when it was started before, that is the answer. */
  async start(order: StartOrder, term: number): Promise<Execution> {
    const known = this.#executions.get(order.execution_id);
    if (known) return known;
    this.checkEpoch(order.session_id, order.epoch);
    const agent = agentOf(order.definition.agent, order.override);
    if (agent === null)
      throw new Refused("unknown_agent", `no agent ${order.definition.agent}`);
    this.#epochs.set(order.session_id, order.epoch);
    const starting = this.#start(order, term, agent);
    this.#executions.set(order.execution_id, starting);
    starting.catch(() => this.#executions.delete(order.execution_id));
    return starting;
  }

  async #start(
    order: StartOrder,
    term: number,
    agent: Execution["agent"],
  ): Promise<Execution> {
    await this.#endPredecessors(order);
    const files = filesIn(join(this.#place.executions, order.execution_id));
    await makeDirectory(files);
    const { journal } = Journal.open(files.journal);
    const ordered = orderedOf(order, term);
    const execution = new Execution(
      this.#place,
      agent,
      ordered,
      files,
      journal,
    );
    await execution.recordDurably(ordered);
    await syncDirectory(this.#place.executions);
    void bringUp(execution, order);
    return execution;
  }

  /** One writer per session: whatever ran for it before must be gone, known to the caller or not. */
  async #endPredecessors(order: StartOrder): Promise<void> {
    const all = await this.all();
    const before = all.filter(
      ({ id, session }) =>
        session === order.session_id && id !== order.execution_id,
    );
    const ids = new Set([...order.predecessors, ...before.map(({ id }) => id)]);
    ids.delete(order.execution_id);
    const gone = before.map((execution) => stop(execution, 0));
    try {
      await within("ending predecessors", PREDECESSOR_MS, Promise.all(gone));
    } catch {
      throw new Refused("predecessor_alive", "a predecessor cannot be ended");
    }
    for (const id of ids)
      if (!(await endMarked(`REPRISE_EXECUTION=${id}`, PREDECESSOR_MS)))
        throw new Refused("predecessor_alive", `${id} cannot be ended`);
  }

  checkEpoch(session: SessionId, epoch: number): void {
    const highest = this.#epochs.get(session) ?? 0;
    if (epoch < highest)
      throw new Refused(
        "epoch_superseded",
        `epoch ${epoch} was superseded by ${highest}`,
      );
  }

  async find(id: ExecutionId, epoch: number): Promise<Execution> {
    const execution = await this.#executions.get(id);
    if (execution === undefined)
      throw new Refused("unknown_execution", `${id} is not here`);
    if (execution.epoch !== epoch)
      throw new Refused(
        "epoch_superseded",
        `${id} has epoch ${execution.epoch}, not ${epoch}`,
      );
    return execution;
  }

  /** Those that are here; one that is just being started is not yet. */
  async all(): Promise<Execution[]> {
    const settled = await Promise.allSettled(
      [...this.#executions.values()].map((it) => Promise.race([it, null])),
    );
    return settled.flatMap((it) =>
      it.status === "fulfilled" && it.value !== null ? [it.value] : [],
    );
  }

  /** Removes the files of an execution that has ended. */
  async forget(execution: Execution): Promise<void> {
    if (!execution.history.ended)
      throw new Refused("internal", `${execution.id} has not ended`);
    this.#executions.delete(execution.id);
    await execution.leave();
    await rm(execution.files.directory, { recursive: true, force: true });
  }

  /** Lets go of every agent; they go on. */
  async leave(): Promise<void> {
    for (const execution of await this.all()) await execution.leave();
  }
}

const orderedOf = (order: StartOrder, term: number): Ordered => {
  const { env: _secret, ...override } = order.override ?? {};
  return {
    kind: "ordered",
    execution_id: order.execution_id,
    session_id: order.session_id,
    epoch: order.epoch,
    term,
    definition: order.definition,
    override: order.override ? override : null,
    cwd: order.cwd,
  };
};
