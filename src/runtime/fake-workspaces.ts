/** Workspaces that hold nothing: every capture is a new tree. For tests of the runtime. */
import type { Capture } from "../contract/checkpoint.ts";
import type { ExecutionId } from "../contract/id.ts";
import { LinkError } from "../contract/link-error.ts";
import type { Workspaces } from "./ports/executors.ts";

/** The place they are at. */
interface At {
  readonly workspaceKind: "directory" | "other" | "missing";
  readonly installed: boolean;
  readonly transcript: "present" | "missing" | "unknown";
  readonly agentsById: ReadonlyMap<ExecutionId, { alive: boolean }>;
  readonly asked: string[];
  survivors(): Promise<number[]>;
}

export const fakeWorkspaces = (place: At): Workspaces => {
  let captures = 0;
  const nothing = { changes: [], conflicts: [], truncated: false };
  return {
    look: async ({ execution_id }) => ({
      workspace: place.workspaceKind,
      alive:
        execution_id !== null &&
        place.agentsById.get(execution_id)?.alive === true,
      survivors: await place.survivors(),
      installed: place.installed,
      transcript: place.transcript,
    }),
    checkpoint: async ({ cwd }): Promise<Capture> => {
      place.asked.push(`checkpoint ${cwd}`);
      captures += 1;
      return {
        outcome: "saved",
        reason: null,
        tree: captures.toString(16).padStart(64, "0"),
        agent_state: null,
        files: 0,
        bytes: 0,
        new_bytes: 0,
        took_ms: 0,
        unstable: [],
        unreadable: [],
        left_out: [],
      };
    },
    diff: async () => ({ changes: [], text: null, truncated: false }),
    rewind: async ({ tree, dry_run }) => {
      place.asked.push(`rewind ${tree} ${dry_run}`);
      return nothing;
    },
    worktree: async () => ({}),
    keep_commits: async () => ({}),
    export_archive: async () => {
      throw new LinkError("unknown_method", "nothing is kept here");
    },
    import_archive: async () => ({ trees: [], members: [], privileged: 0 }),
    prune_begin: async () => ({ mark: "" }),
    prune: async () => ({ freed_bytes: 0, kept_bytes: 0 }),
    verify: async () => ({
      packs: 0,
      bytes: 0,
      objects: 0,
      damaged: 0,
      broken: [],
    }),
    disk: async () => ({ sets: [], total_bytes: 0 }),
    abandon: async () => ({ removed: true }),
    discard: async () => ({}),
  };
};
