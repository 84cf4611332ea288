import type { Place } from "../../runtime/ports/executors.ts";
import type { Link } from "./link.ts";
import { filesOver } from "./workspace-files.ts";
import { transfersOver } from "./transfers.ts";
import { shellsOver } from "./shells.ts";
import type { DataLink } from "./data-link.ts";

/** A link as the runtime sees it. */
export const placeOver = (
  link: Link,
  data: DataLink,
  where: Pick<Place, "runtime" | "url" | "port" | "containerId">,
): Place => ({
  ...where,
  pid: link.hello.pid,
  build: link.hello.build,
  placeId: link.hello.place_id ?? null,
  arch: link.hello.arch ?? null,
  // Where agentctl lives in the home of the server, that makes them.
  ownDirectories:
    link.hello.environment === "own" ? (link.hello.workspaces ?? null) : null,
  start: async (order) => void (await link.call("start", order)),
  executions: async () => (await link.call("executions", {})).executions,
  attach: async (order) => void (await link.call("attach", order)),
  prompt: async (order) => void (await link.call("prompt", order)),
  cancel: async (order) => void (await link.call("cancel", order)),
  answer: async (order) => void (await link.call("answer", order)),
  change: async (order) => void (await link.call("change", order)),
  stop: async (order) => void (await link.call("stop", order)),
  acknowledge: async (order) => void (await link.call("acknowledge", order)),
  forget: async (order) => void (await link.call("forget", order)),
  survivors: async (execution_id) =>
    (await link.call("survivors", { execution_id })).pids,
  clear: async (execution_id) =>
    void (await link.call("clear", { execution_id })),
  agents: async (order) => (await link.call("agents", order)).agents,
  probe: (order) => link.call("probe", order),
  workspace: (path) => link.call("workspace", { path }),
  transfers: transfersOver(link, data),
  files: filesOver(link, data),
  shells: shellsOver(link, data),
  workspaces: {
    look: (order) => link.call("look", order),
    checkpoint: (order) => link.call("checkpoint", order),
    diff: (order) => link.call("diff", order),
    rewind: (order) => link.call("rewind", order),
    make_workspace: (order) => link.call("make_workspace", order),
    worktree: (order) => link.call("worktree", order),
    keep_commits: (order) => link.call("keep_commits", order),
    export_archive: (order) => link.call("export_archive", order),
    import_archive: (order) => link.call("import_archive", order),
    prune_begin: (order) => link.call("prune_begin", order),
    prune: (order) => link.call("prune", order),
    verify: (order) => link.call("verify", order),
    disk: (order) => link.call("disk", order),
    abandon: (order) => link.call("abandon", order),
    discard: (order) => link.call("discard", order),
  },
  run: {
    sandbox: (order) => link.call("sandbox", order),
    exec: (order) => link.call("exec", order),
    cancel_exec: (order) => link.call("cancel_exec", order),
    processes: (order) => link.call("processes", order),
    end_process: (order) => link.call("end_process", order),
  },
  onReport: (listen) => link.onReport(listen),
  closed: link.closed,
});
