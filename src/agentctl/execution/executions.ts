import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Agent } from "../../agents/agent/agent.ts";
import { agentOf } from "../../agents/registry.ts";
import { ExecutionId } from "../../contract/base/id.ts";
import type { StartOrder } from "../../contract/link/link.ts";
import { within } from "../../kit/time/deadline.ts";
import { remove, syncDirectory } from "../../kit/files/durable-file.ts";
import { makeDirectory } from "../../kit/files/make-directory.ts";
import {
  endMarked,
  markedProcesses,
} from "../../kit/processes/marked-processes.ts";
import { adopt } from "./adopt.ts";
import { bringUp } from "./bring-up.ts";
import { Timeline } from "./journal/timeline.ts";
import { acpSpeech } from "./report/conversation.ts";
import { DescriptorReserve } from "../base/descriptors.ts";
import { stop } from "./end.ts";
import { Execution, markOf } from "./execution.ts";
import type { Owned } from "../base/fences.ts";
import { Gone } from "../base/gone.ts";
import { readBefore, isUnbegun } from "./journal/history.ts";
import { type AgentFiles, filesIn } from "./hold/files.ts";
import { reasonOf } from "../base/log.ts";
import type { Owner } from "../base/owners.ts";
import type { Daemon } from "../daemon/daemon.ts";
import type { Ordered } from "./journal/record.ts";
import { LinkError } from "../../contract/link/link-error.ts";

const PREDECESSOR_MS = 10_000;

interface Entry extends Owned {
  epoch: number;
  execution: Promise<Execution>;
}

/** All executions of this place. */
export class Executions {
  readonly #daemon: Daemon;
  readonly #entries = new Map<ExecutionId, Entry>();
  readonly #gone = new Gone();
  readonly #descriptors = new DescriptorReserve();

  constructor(daemon: Daemon) {
    this.#daemon = daemon;
  }

  /** Starts an execution; when it was started before, that is the answer. */
  async start(order: StartOrder, caller: Orderer): Promise<Execution> {
    const { execution_id, session_id, epoch, definition, override } = order;
    const { owner } = caller;
    const of = { owner, session: session_id };
    const known = this.#entries.get(execution_id);
    if (known) return this.#ofOwner(owner, execution_id, known);
    this.checkEpoch(of, epoch, execution_id);
    const agent = agentOf(definition.agent, override);
    if (agent === null)
      throw new LinkError("unknown_agent", `no agent ${definition.agent}`);
    const giveBack = this.#descriptors.reserve();
    const execution = this.#start(order, of, caller, agent, giveBack);
    this.#entries.set(execution_id, { ...of, epoch, execution });
    execution.catch(() => {
      giveBack();
      this.#entries.delete(execution_id);
    });
    return execution;
  }

  async #start(
    order: StartOrder,
    of: Owned,
    caller: Orderer,
    agent: Agent,
    onUp: () => void,
  ): Promise<Execution> {
    await this.#checkFence(of, order.epoch);
    await this.#endPredecessors(of, order);
    // That took time: both may have been superseded meanwhile.
    caller.check();
    this.checkEpoch(of, order.epoch, order.execution_id);
    await this.#checkFence(of, order.epoch);
    const files = filesIn(join(this.#daemon.executions, order.execution_id));
    await makeDirectory(files.directory);
    const { timeline } = Timeline.open(files.journal);
    const ordered = orderedOf(order, caller, agent);
    await timeline.recordDurably(ordered);
    await syncDirectory(this.#daemon.executions);
    const daemon = this.#daemon;
    const speech = acpSpeech();
    const parts = {
      daemon,
      ordered,
      files,
      agent,
      speech,
      timeline,
      readTo: 0,
    };
    const execution = new Execution(parts);
    void bringUp(execution, agent, order).finally(onUp);
    return execution;
  }

  /** One writer per session: whatever ran for it before must be gone, whether the caller knows of it or not. */
  async #endPredecessors(of: Owned, order: StartOrder): Promise<void> {
    const { epoch, predecessors } = order;
    const before = [...this.#entries].filter(
      ([, entry]) => isSame(entry, of) && entry.epoch < epoch,
    );
    const stopping = before.map(async ([, entry]) => {
      const execution = await entry.execution.catch(() => null);
      if (execution) await stop(execution, 0);
    });
    try {
      await within("ending them", PREDECESSOR_MS, Promise.all(stopping));
    } catch {
      throw new LinkError("predecessor_alive", "a predecessor cannot be ended");
    }
    for (const id of new Set([...predecessors, ...before.map(([it]) => it)]))
      if (this.#isForeign(of.owner, id)) await this.#refuseRunning(id);
      else await this.#endLeft(id);
  }

  /** It is not the caller's to end, and beside it there would be two writers. */
  async #refuseRunning(id: ExecutionId): Promise<void> {
    if (await this.#isGone(id)) return;
    const pids = (await markedProcesses(markOf(id))).join(" ");
    throw new LinkError(
      "predecessor_alive",
      `${id} runs for another home, or its home has lost its owner-id. End it there, or end its processes yourself (kill ${pids}), and try again.`,
    );
  }

  /** Refuses what is meant for an execution that has a successor. */
  checkEpoch(of: Owned, epoch: number, id: ExecutionId): void {
    for (const [other, entry] of this.#entries)
      if (isSame(entry, of) && other !== id && entry.epoch >= epoch)
        throw new LinkError(
          "epoch_superseded",
          `epoch ${epoch} was superseded by ${other} with ${entry.epoch}`,
        );
  }

  /** The highest epoch that an execution of this session has had here, known or forgotten; 0 without one. */
  async epochOf(of: Owned): Promise<number> {
    const known = [...this.#entries.values()]
      .filter((entry) => isSame(entry, of))
      .map(({ epoch }) => epoch);
    return Math.max(await this.#daemon.fences.epochOf(of), ...known);
  }

  /** What was forgotten is still superseded. */
  async #checkFence(of: Owned, epoch: number): Promise<void> {
    const fence = await this.#daemon.fences.epochOf(of);
    if (fence >= epoch)
      throw new LinkError(
        "epoch_superseded",
        `epoch ${epoch} was superseded by ${fence}`,
      );
  }

  async find(owner: Owner, id: ExecutionId, epoch: number): Promise<Execution> {
    const execution = await this.#ofOwner(owner, id, this.#entries.get(id));
    if (execution.epoch !== epoch)
      throw new LinkError(
        "epoch_superseded",
        `${id} has epoch ${execution.epoch}, not ${epoch}`,
      );
    return execution;
  }

  /** What belongs to another owner is not here for this one. */
  #ofOwner(
    owner: Owner,
    id: ExecutionId,
    entry: Entry | undefined,
  ): Promise<Execution> {
    if (entry?.owner === owner) return entry.execution;
    throw new LinkError("unknown_execution", `${id} is not here`);
  }

  async all(): Promise<Execution[]> {
    const all = [...this.#entries.values()].map(({ execution }) =>
      execution.catch(() => null),
    );
    return (await Promise.all(all)).filter((it) => it !== null);
  }

  async areAllEnded(): Promise<boolean> {
    return (await this.all()).every(({ history }) => history.ended);
  }

  /** What an execution that is not alive left running; nothing while it lives, or of one that is another owner's. */
  async survivors(owner: Owner, id: ExecutionId): Promise<number[]> {
    if (await this.#isLeftAlone(owner, id)) return [];
    return (await this.#isGone(id)) ? [] : markedProcesses(markOf(id));
  }

  /** Ends what an execution that is not alive left running, and sees it gone. */
  async clear(owner: Owner, id: ExecutionId): Promise<void> {
    if (!(await this.#isLeftAlone(owner, id))) await this.#endLeft(id);
  }

  async #isLeftAlone(owner: Owner, id: ExecutionId): Promise<boolean> {
    return this.#isForeign(owner, id) || (await this.isAlive(owner, id));
  }

  /** It is known here, and whose it is. Of what is not known only the mark tells, and that names no owner. */
  #isForeign(owner: Owner, id: ExecutionId): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.owner !== owner;
  }

  async #endLeft(id: ExecutionId): Promise<void> {
    if (await this.#isGone(id)) return;
    if (!(await endMarked(markOf(id), PREDECESSOR_MS)))
      throw new LinkError("predecessor_alive", `${id} cannot be ended`);
  }

  /** We have seen that nobody bears its mark any more. A mark is only inherited: nobody ever will again. */
  async #isGone(id: ExecutionId): Promise<boolean> {
    if (this.#gone.has(id)) return true;
    const execution = await this.#entries.get(id)?.execution.catch(() => null);
    return execution?.history.ended === true;
  }

  /** Another owner's is not. */
  async isAlive(owner: Owner, id: ExecutionId): Promise<boolean> {
    if (this.#isForeign(owner, id)) return false;
    const execution = await this.#entries.get(id)?.execution.catch(() => null);
    return execution != null && !execution.history.ended;
  }

  /** Removes the files of an execution that has ended. */
  async forget(execution: Execution): Promise<void> {
    if (!execution.history.ended)
      throw new LinkError("internal", `${execution.id} has not ended`);
    await this.#daemon.fences.raise(execution, execution.epoch);
    this.#entries.delete(execution.id);
    this.#gone.add(execution.id);
    await execution.leave();
    await remove(execution.files.directory);
  }

  /** Takes over what an agentctl before us left behind. */
  async adoptAll(): Promise<void> {
    const names = await readdir(this.#daemon.executions);
    await Promise.all(names.map((name) => this.#adopt(name)));
  }

  async #adopt(name: string): Promise<void> {
    const files = filesIn(join(this.#daemon.executions, name));
    // Whatever else lies here is not ours to touch; a directory without a journal was made for a start that never was.
    if (!ExecutionId.safeParse(name).success || !existsSync(files.journal))
      return this.#daemon.log("no execution", { name });
    const execution = this.#reopen(files);
    if (execution === null) return;
    if (isUnbegun(execution.history) && (await this.#takeBack(execution)))
      return;
    const { id, owner, session, epoch } = execution;
    const entry = { execution: Promise.resolve(execution) };
    this.#entries.set(id, { owner, session, epoch, ...entry });
    await adopt(execution).catch((error: unknown) =>
      execution.log("cannot adopt", error),
    );
  }

  /**
   * Its environment was never written down, so we cannot bring it up; whoever ordered it can, and finds that it is not
   * here. A process that was started and not told anything yet has done nothing. False when one cannot be ended.
   */
  async #takeBack(execution: Execution): Promise<boolean> {
    if (!(await endMarked(execution.mark, PREDECESSOR_MS))) return false;
    await execution.leave();
    await remove(execution.files.directory);
    execution.log("an order was cut short: it is taken back");
    return true;
  }

  #reopen(files: AgentFiles): Execution | null {
    const daemon = this.#daemon;
    const { directory } = files;
    try {
      const { timeline, records } = Timeline.open(files.journal);
      const ordered = records.find((it) => it.kind === "ordered");
      if (ordered === undefined) {
        timeline.close();
        daemon.log("an execution that was never ordered", { directory });
        return null;
      }
      const { definition, override } = ordered;
      const agent = agentOf(definition.agent, override ?? undefined);
      const readTo = readBefore(timeline.history);
      const speech = acpSpeech();
      const parts = { daemon, ordered, files, agent, speech, timeline, readTo };
      return new Execution(parts);
    } catch (error) {
      daemon.log("cannot read an execution", {
        directory,
        error: reasonOf(error),
      });
      return null;
    }
  }

  /** Lets go of every agent; they go on. */
  async leave(): Promise<void> {
    await Promise.all((await this.all()).map((it) => it.leave()));
  }

  /** Ends every agent: for when nobody can ever reach them again. */
  async endAll(): Promise<void> {
    const ending = (await this.all()).map((it) => stop(it, 0));
    await within("ending them", PREDECESSOR_MS, Promise.all(ending));
  }
}

const isSame = (a: Owned, b: Owned): boolean =>
  a.owner === b.owner && a.session === b.session;

/** Who orders. */
export interface Orderer {
  owner: Owner;
  term: number;
  /** Throws when it has been superseded. */
  check(): void;
}

/** Everything a successor needs, and no values of variables. */
const orderedOf = (
  order: StartOrder,
  { owner, term }: Orderer,
  agent: Agent,
): Ordered => {
  const { env: _secret, ...override } = order.override ?? {};
  return {
    kind: "ordered",
    execution_id: order.execution_id,
    session_id: order.session_id,
    epoch: order.epoch,
    term,
    ...(owner !== null && { owner }),
    definition: order.definition,
    override: order.override ? override : null,
    driver: agent.driver,
    cwd: order.cwd,
  };
};
