/** An agentctl in memory that keeps what it is told: the agent's files, archives, what was discarded. */
import * as z from "zod";
import type { AgentView } from "../../src/contract/agent/agent.ts";
import type {
  Change,
  GitState,
} from "../../src/contract/session/checkpoint.ts";
import type { SessionId } from "../../src/contract/base/id.ts";
import { LinkError } from "../../src/contract/link/link-error.ts";
import type { LinkParams, LinkResult } from "../../src/contract/link/link.ts";
import { demoAgent, FakePlace } from "../../src/runtime/fixtures/fake-place.ts";
import { fakeWorkspaces } from "../../src/runtime/fixtures/fake-workspaces.ts";
import type { Workspaces } from "../../src/runtime/ports/executors.ts";

const Archive = z.object({
  trees: z.array(z.string()),
  members: z.array(z.object({ name: z.string(), text: z.string() })),
});

export class KeepingPlace extends FakePlace {
  readonly diffs: LinkParams<"diff">[] = [];
  readonly rewinds: LinkParams<"rewind">[] = [];
  readonly worktrees: LinkParams<"worktree">[] = [];
  readonly discarded: LinkParams<"discard">[] = [];
  readonly abandoned: string[] = [];
  readonly prunes: LinkParams<"prune">[] = [];
  readonly verified: LinkParams<"verify">[] = [];
  readonly measured: LinkParams<"disk">[] = [];
  /** What a reading of everything finds, and what it waits for. */
  broken: LinkResult<"verify">["broken"] = [];
  reading: Promise<void> = Promise.resolve();
  /** What the beginning of a prune waits for. */
  beginning: Promise<void> = Promise.resolve();
  /** Trees whose directories a prune cannot read. */
  unreadable: string[] = [];
  /** What a rewind has to change. */
  changes: Change[] = [{ path: "a.txt", kind: "modified" }];
  /** What others changed too. */
  conflicts: Change[] = [];
  /** Whether captures come to nothing. */
  capturesFail = false;
  /** Whether nothing changes workspaces but prompts and rewinds. Otherwise every capture finds something else. */
  isStill = false;
  /** What captures wait for. */
  held: Promise<void> = Promise.resolve();
  /** How often the trees of an archive were kept. */
  kept = 0;
  /** What happens while somebody looks what a rewind would do. */
  whileLooking: () => Promise<void> = async () => {};
  /** What git has checked out, where captures tell it. */
  git: GitState | null = null;
  readonly keptCommits: LinkParams<"keep_commits">[] = [];
  /** What happens when commits are to be kept. */
  whileKeeping: () => Promise<void> = async () => {};
  /** What happens when a workspace has been brought back. */
  onRewound: () => void = () => {};
  /** Why directories cannot be removed. */
  discardFails: LinkError | null = null;
  /** How a real rewind is refused. */
  rewindFails: LinkError | null = null;

  override async agents(
    ...[{ only }]: Parameters<FakePlace["agents"]>
  ): Promise<AgentView[]> {
    const all = [demoAgent, { ...demoAgent, id: "other" }];
    return only === undefined ? all : all.filter(({ id }) => id === only.id);
  }

  override readonly workspaces: Workspaces = {
    ...fakeWorkspaces(this),
    checkpoint: async (order) => {
      await this.held;
      const capture = await fakeWorkspaces(this).checkpoint(order);
      if (this.capturesFail)
        return { ...capture, outcome: "failed", reason: "no", tree: null };
      const number = this.#treeOf(order.session_id);
      return {
        ...capture,
        tree: hash(number),
        agent_state: order.agent.token === null ? null : hash(900 + number),
        ...(this.git !== null && { git: this.git }),
      };
    },
    diff: async (order) => {
      this.diffs.push(order);
      return { changes: [], text: null, truncated: false };
    },
    rewind: async (order) => {
      this.rewinds.push(order);
      if (order.dry_run) await this.whileLooking();
      else if (this.rewindFails !== null) throw this.rewindFails;
      else this.onRewound();
      const { changes, conflicts } = this;
      return { changes, conflicts, truncated: false, ...this.#headIn(order) };
    },
    worktree: async (order) => {
      if (order.repository === "/nowhere")
        throw new LinkError("not_a_repository", "/nowhere is no repository.");
      this.worktrees.push(order);
      return {};
    },
    keep_commits: async (order) => {
      this.keptCommits.push(order);
      await this.whileKeeping();
      return {};
    },
    export_archive: async ({ trees, members }) => {
      const texts = members.map(({ name, transfer }) => ({
        name,
        text: this.transfers.read(transfer).toString(),
      }));
      const bytes = Buffer.from(JSON.stringify({ trees, members: texts }));
      return { transfer: this.transfers.keep(bytes), bytes: bytes.length };
    },
    import_archive: async ({ transfer, keep }) => {
      const text = this.transfers.read(transfer).toString();
      const { trees, members } = Archive.parse(JSON.parse(text));
      if (keep) this.kept += 1;
      const told = (keep ? [] : members).map(({ name, text }) => {
        const bytes = Buffer.from(text);
        const transfer = this.transfers.keep(bytes);
        return { name, transfer, bytes: bytes.length };
      });
      return { trees, members: told, privileged: 0 };
    },
    prune_begin: async () => {
      await this.beginning;
      return { mark: "" };
    },
    prune: async (order) => {
      this.prunes.push(order);
      const { unreadable } = this;
      return { freed_bytes: 10, kept_bytes: 20, unreadable };
    },
    verify: async (order) => {
      this.verified.push(order);
      await this.reading;
      const read = { packs: 1, bytes: 2, objects: 3, damaged: 4 };
      return { ...read, broken: this.broken };
    },
    disk: async (order) => {
      this.measured.push(order);
      const { sets } = order;
      return {
        sets: sets.map(({ id, trees }) => ({ id, bytes: trees.length })),
        total_bytes: 7,
      };
    },
    abandon: async ({ session_id }) => {
      this.abandoned.push(session_id);
      return { removed: true };
    },
    discard: async (order) => {
      if (this.discardFails !== null) throw this.discardFails;
      this.discarded.push(order);
      return {};
    },
  };

  #headIn({ dry_run, head: was }: LinkParams<"rewind">) {
    const now = this.git;
    if (!dry_run || was === undefined || now === null) return {};
    return was.head === now.head
      ? {}
      : { head: { was, now, moves: true, commits: [] } };
  }

  #treeOf(session: SessionId): number {
    const done = this.rewinds.filter(({ dry_run }) => !dry_run).length;
    const deeds = this.prompts.length + done;
    const seen = this.#seen.get(session);
    if (this.isStill && seen?.deeds === deeds) return seen.tree;
    this.#captures += 1;
    this.#seen.set(session, { deeds, tree: this.#captures });
    return this.#captures;
  }

  #captures = 0;
  readonly #seen = new Map<SessionId, { deeds: number; tree: number }>();
}

export const hash = (n: number): string => n.toString(16).padStart(64, "0");
