/** An agentctl in memory with an agent that answers every prompt with its own words. For tests of the runtime. */
import type { AgentView } from "../contract/agent.ts";
import { textOf } from "../contract/content.ts";
import type { ExecutionId, PlaceId } from "../contract/id.ts";
import type {
  LinkParams,
  LinkReport,
  LinkResult,
  StartOrder,
} from "../contract/link.ts";
import { LinkError } from "../contract/link-error.ts";
import { RepriseError } from "../contract/problem.ts";
import type { ReportItem } from "../contract/report.ts";
import { FakeTransfers } from "./fake-transfers.ts";
import { fakeWorkspaces } from "./fake-workspaces.ts";
import type { Executors, Place, Workspaces } from "./ports/executors.ts";

type Report = LinkReport["report"];
type Ended = Extract<ReportItem, { kind: "ended" }>;
type Ready = Extract<ReportItem, { kind: "ready" }>;

export const demoAgent: AgentView = {
  id: "demo",
  name: "Demo",
  driver: "acp",
  installed: true,
  version: "1",
  command: ["demo"],
  native_session_resume: true,
  history_context_injection: true,
  install: null,
};

/** What has been asked of it, in order, and the words of its agents. */
export class FakePlace implements Place {
  readonly runtime = "standalone";
  readonly url = "unix:/fake";
  readonly pid: number;
  readonly build = "fake";
  placeId: PlaceId | null = null;
  readonly port: number | null = null;
  readonly containerId: string | null = null;
  readonly asked: string[] = [];
  readonly orders: StartOrder[] = [];
  readonly prompts: LinkParams<"prompt">[] = [];
  readonly acknowledged: { to: number; report: number }[] = [];
  workspaceKind: "directory" | "other" | "missing" = "directory";
  /** What the agent does with a prompt; by default it echoes it and ends the turn. */
  onPrompt: (order: LinkParams<"prompt">, agent: FakeAgent) => void = (
    order,
    agent,
  ) => {
    agent.say(`You said: ${textOf(order.content)}`);
    agent.endTurn(order.prompt_id);
  };
  readonly agentsById = new Map<ExecutionId, FakeAgent>();
  readonly closed: Promise<void>;
  #lose: () => void = () => undefined;
  #listen: (report: Report) => void = () => undefined;

  constructor(pid = 1) {
    this.pid = pid;
    this.closed = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  /** The connection breaks. */
  lose(): void {
    this.#lose();
  }

  async start(order: StartOrder): Promise<void> {
    this.asked.push(`start ${order.epoch}`);
    this.orders.push(order);
    const agent = new FakeAgent(order, (report) => this.#listen(report));
    this.agentsById.set(order.execution_id, agent);
    if (!this.holdStarts)
      agent.ready(
        order.open.kind === "native",
        this.forgotten,
        this.readiness(order),
      );
    this.#startsWaited();
  }

  /** What its agents say of themselves, besides what any does. */
  readiness: (order: StartOrder) => Partial<Ready> = () => ({});
  /** Whether its agents can be found. */
  installed = true;
  /** Agents die before they take a prompt. */
  dropsPrompts = false;
  /** How many turns that were cut off its agents did not keep. */
  forgotten = 0;
  /** Agents that are started do not become ready until they are released. */
  holdStarts = false;
  #startsWaited: () => void = () => undefined;

  releaseStarts(): void {
    for (const agent of this.agentsById.values())
      agent.ready(agent.order.open.kind === "native");
  }

  waitForStarts(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#startsWaited = () => {
        if (this.orders.length >= count) resolve();
      };
      this.#startsWaited();
    });
  }
  async executions() {
    return [...this.agentsById.values()].map(({ order, alive }) => ({
      execution_id: order.execution_id,
      epoch: order.epoch,
      session_id: order.session_id,
      alive,
    }));
  }
  async attach({
    execution_id,
    epoch,
    from,
  }: LinkParams<"attach">): Promise<void> {
    this.asked.push(`attach ${epoch} ${from}`);
    this.agentsById.get(execution_id)?.repeat(from);
  }
  async prompt(order: LinkParams<"prompt">): Promise<void> {
    this.asked.push(`prompt ${order.epoch}`);
    this.prompts.push(order);
    const agent = this.agentsById.get(order.execution_id);
    if (this.dropsPrompts)
      return agent?.die({ kind: "killed", signal: "SIGKILL" }, [
        order.prompt_id,
      ]);
    agent?.fact({
      kind: "prompt_delivered",
      range: null,
      prompt_id: order.prompt_id,
    });
    if (agent !== undefined) this.onPrompt(order, agent);
  }
  async cancel({ epoch }: LinkParams<"cancel">): Promise<void> {
    this.asked.push(`cancel ${epoch}`);
  }
  async answer({
    execution_id,
    permission_id,
    option_id,
  }: LinkParams<"answer">): Promise<void> {
    this.asked.push(`answer ${option_id}`);
    this.agentsById
      .get(execution_id)
      ?.fact({ kind: "answer_delivered", range: null, permission_id });
  }
  async stop({ execution_id, epoch }: LinkParams<"stop">): Promise<void> {
    this.asked.push(`stop ${epoch}`);
    const agent = this.agentsById.get(execution_id);
    if (agent === undefined)
      throw new LinkError("unknown_execution", `${execution_id} is not here`);
    agent.die({ kind: "stopped" });
  }
  async acknowledge({ to, report }: LinkParams<"acknowledge">): Promise<void> {
    this.acknowledged.push({ to, report });
  }
  async forget({ execution_id }: LinkParams<"forget">): Promise<void> {
    this.agentsById.delete(execution_id);
  }
  readonly left: number[] = [];
  async survivors(): Promise<number[]> {
    return this.left;
  }
  async clear(): Promise<void> {
    this.left.length = 0;
  }
  /** The environment that agents were last looked for with. */
  soughtWith: Record<string, string> | undefined;
  async agents({ only, env }: LinkParams<"agents">): Promise<AgentView[]> {
    this.soughtWith = env;
    return only === undefined || only.id === demoAgent.id ? [demoAgent] : [];
  }
  async workspace(
    _path: string,
  ): Promise<{ kind: "directory" | "other" | "missing"; real?: string }> {
    return { kind: this.workspaceKind };
  }
  /** What it answers when it is asked what it can do for a session. */
  supports: LinkResult<"probe"> = {
    supports_session_resume: true,
    supports_workspace_only: true,
  };
  async probe(): Promise<LinkResult<"probe">> {
    return this.supports;
  }
  transcript: "present" | "missing" | "unknown" = "present";
  readonly workspaces: Workspaces = fakeWorkspaces(this);
  readonly transfers = new FakeTransfers();
  onReport(listen: (report: Report) => void): void {
    this.#listen = listen;
  }
}

export class FakeAgent {
  readonly order: StartOrder;
  alive = true;
  /** What it says now is lost on the way. */
  deaf = false;
  #offset = 0;
  #number = 0;
  readonly #said: ReportItem[] = [];
  readonly #report: (report: Report) => void;

  constructor(order: StartOrder, report: (report: Report) => void) {
    this.order = order;
    this.#report = report;
  }

  ready(native: boolean, forgotten = 0, given: Partial<Ready> = {}): void {
    this.speak(10, (range) => ({
      kind: "ready",
      range,
      native_session_id: "native",
      abilities: {
        resume: true,
        load: true,
        fork: true,
        close: true,
        injection: true,
        images: false,
      },
      agent_info: null,
      opened: native ? "resumed" : "new",
      verified: native,
      forgotten,
      failed: null,
      ...given,
    }));
  }
  say(text: string): void {
    this.speak(text.length, (range) => ({
      kind: "text",
      role: "agent",
      text,
      range,
    }));
  }
  endTurn(prompt_id: LinkParams<"prompt">["prompt_id"]): void {
    this.speak(5, (range) => ({
      kind: "turn_ended",
      prompt_id,
      stop_reason: "end_turn",
      usage: null,
      error: null,
      range,
    }));
  }
  die(ending: Ended["ending"], not_taken: Ended["not_taken"] = []): void {
    this.alive = false;
    this.fact({
      kind: "ended",
      range: null,
      ending,
      not_taken,
      stderr_tail: "",
    });
  }

  speak(
    bytes: number,
    item: (range: { from: number; to: number }) => ReportItem,
  ): void {
    const range = { from: this.#offset, to: this.#offset + bytes };
    this.#offset = range.to;
    this.fact(item(range));
  }
  fact(item: ReportItem): void {
    this.#said.push(item);
    this.#send([item]);
  }
  /** Says everything from this offset on again. */
  repeat(from: number): void {
    const again = this.#said.filter(
      ({ range }) => range === null || range.to > from,
    );
    if (again.length > 0) this.#send(again);
  }

  #send(items: ReportItem[]): void {
    if (this.deaf) return;
    const { execution_id, epoch } = this.order;
    this.#number += 1;
    const report = { execution_id, epoch, number: this.#number, items };
    queueMicrotask(() => this.#report(report));
  }
}

/** Gives out the places it is given, one after the other, as each is lost. */
export const fakeExecutors = (...places: (FakePlace | null)[]): Executors => {
  let current = 0;
  const watched = new Set<FakePlace>();
  return {
    find: async () => {
      const place = places[current];
      return place != null && watched.has(place) ? place : null;
    },
    obtain: async () => {
      const place = places[current];
      if (place == null) {
        current += 1;
        throw new RepriseError(
          "agentctl_unavailable",
          "agentctl cannot be reached.",
        );
      }
      if (!watched.has(place)) {
        watched.add(place);
        void place.closed.then(() => {
          current += 1;
        });
      }
      return place;
    },
    leave: async () => undefined,
    close: async () => undefined,
  };
};
