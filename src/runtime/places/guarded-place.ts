import type {
  Place,
  PlaceShells,
  Run,
  Transfers,
  WorkspaceFiles,
  Workspaces,
} from "../ports/executors.ts";

/** What the caller of a refused order gets instead of the refusal. */
type OnRefusal = (error: unknown) => unknown;

/** The same place; `onRefusal` sees every refusal of an order before the caller does. */
export const guardedPlace = (place: Place, onRefusal: OnRefusal): Place => {
  const guard = guardWith(onRefusal);
  return {
    runtime: place.runtime,
    url: place.url,
    pid: place.pid,
    build: place.build,
    placeId: place.placeId,
    port: place.port,
    containerId: place.containerId,
    arch: place.arch,
    ownDirectories: place.ownDirectories,
    start: guard((order) => place.start(order)),
    executions: guard(() => place.executions()),
    attach: guard((order) => place.attach(order)),
    prompt: guard((order) => place.prompt(order)),
    cancel: guard((order) => place.cancel(order)),
    answer: guard((order) => place.answer(order)),
    change: guard((order) => place.change(order)),
    stop: guard((order) => place.stop(order)),
    acknowledge: guard((order) => place.acknowledge(order)),
    forget: guard((order) => place.forget(order)),
    survivors: guard((execution) => place.survivors(execution)),
    clear: guard((execution) => place.clear(execution)),
    agents: guard((order) => place.agents(order)),
    workspace: guard((path) => place.workspace(path)),
    probe: guard((order) => place.probe(order)),
    workspaces: guardedWorkspaces(place, guard),
    run: guardedRun(place, guard),
    transfers: guardedTransfers(place, guard, onRefusal),
    files: guardedFiles(place, guard, onRefusal),
    shells: guardedShells(place, guard, onRefusal),
    onReport: (listen) => place.onReport(listen),
    closed: place.closed,
  };
};

type Guard = <A extends unknown[], T>(
  order: (...asked: A) => Promise<T>,
) => (...asked: A) => Promise<T>;

const guardWith =
  (onRefusal: OnRefusal): Guard =>
  (order) =>
  async (...asked) => {
    try {
      return await order(...asked);
    } catch (error) {
      throw onRefusal(error);
    }
  };

const guardedWorkspaces = (place: Place, guard: Guard): Workspaces => ({
  look: guard((order) => place.workspaces.look(order)),
  checkpoint: guard((order) => place.workspaces.checkpoint(order)),
  diff: guard((order) => place.workspaces.diff(order)),
  rewind: guard((order) => place.workspaces.rewind(order)),
  make_workspace: guard((order) => place.workspaces.make_workspace(order)),
  worktree: guard((order) => place.workspaces.worktree(order)),
  keep_commits: guard((order) => place.workspaces.keep_commits(order)),
  export_archive: guard((order) => place.workspaces.export_archive(order)),
  import_archive: guard((order) => place.workspaces.import_archive(order)),
  prune_begin: guard((order) => place.workspaces.prune_begin(order)),
  prune: guard((order) => place.workspaces.prune(order)),
  verify: guard((order) => place.workspaces.verify(order)),
  disk: guard((order) => place.workspaces.disk(order)),
  abandon: guard((order) => place.workspaces.abandon(order)),
  discard: guard((order) => place.workspaces.discard(order)),
});

const guardedRun = (place: Place, guard: Guard): Run => ({
  exec: guard((order) => place.run.exec(order)),
  sandbox: guard((order) => place.run.sandbox(order)),
  cancel_exec: guard((order) => place.run.cancel_exec(order)),
  processes: guard((order) => place.run.processes(order)),
  end_process: guard((order) => place.run.end_process(order)),
});

const guardedTransfers = (
  place: Place,
  guard: Guard,
  onRefusal: OnRefusal,
): Transfers => ({
  upload: guard((content) => place.transfers.upload(content)),
  download: (transfer) =>
    guarded(place.transfers.download(transfer), onRefusal),
  release: guard((transfers) => place.transfers.release(transfers)),
});

const guardedFiles = (
  place: Place,
  guard: Guard,
  onRefusal: OnRefusal,
): WorkspaceFiles => ({
  list: guard((order) => place.files.list(order)),
  directories: guard((order) => place.files.directories(order)),
  read: guard(async (order) => {
    const opened = await place.files.read(order);
    const content = guarded(opened.content, onRefusal);
    return { ...opened, content };
  }),
  status: guard((order) => place.files.status(order)),
  diff: guard((order) => place.files.diff(order)),
  log: guard((order) => place.files.log(order)),
  branches: guard((order) => place.files.branches(order)),
  search: guard((order, signal) => place.files.search(order, signal)),
  put: guard((order, content) => place.files.put(order, content)),
});

const guardedShells = (
  place: Place,
  guard: Guard,
  onRefusal: OnRefusal,
): PlaceShells => ({
  open: guard((order) => place.shells.open(order)),
  list: guard((session) => place.shells.list(session)),
  resize: guard((order) => place.shells.resize(order)),
  close: guard((order) => place.shells.close(order)),
  endAll: guard((session) => place.shells.endAll(session)),
  attach: guard(async (order) => {
    const attached = await place.shells.attach(order);
    return {
      [Symbol.asyncIterator]: () => guarded(attached, onRefusal),
      type: guard((bytes) => attached.type(bytes)),
      detach: () => attached.detach(),
    };
  }),
});

async function* guarded<T>(
  items: AsyncIterable<T>,
  onRefusal: OnRefusal,
): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw onRefusal(error);
  }
}
