/** What the runtime needs of the places where agents run. */
import type { AgentView } from "../../contract/agent/agent.ts";
import type {
  ExecutionId,
  PlaceId,
  SessionId,
  ShellId,
  TransferId,
} from "../../contract/base/id.ts";
import type {
  LinkParams,
  LinkReport,
  LinkResult,
  StartOrder,
} from "../../contract/link/link.ts";
import type {
  FileHead,
  ReadFile,
  WriteFile,
} from "../../contract/link/link-files.ts";
import type { SearchOrder } from "../../contract/link/link-search.ts";
import type { SearchResult } from "../../contract/session/search.ts";
import type { WrittenFile } from "../../contract/session/workspace-file.ts";
import type { runMethods } from "../../contract/link/link-run.ts";
import type { workspaceMethods } from "../../contract/link/link-workspace.ts";
import type { ShellMessage } from "../../contract/link/shell-message.ts";
import type { Shell } from "../../contract/session/shell.ts";
import type { PlaceRef } from "../../contract/base/place.ts";

/** How an agentctl is obtained: on this machine, in a container, elsewhere. */
export interface Executors {
  /**
   * The agentctl of this place, connected by the term that the server has of it; starts one when there is none. Concurrent
   * calls share it. With another term than before it is connected anew.
   */
  obtain(place: PlaceRef, term: number): Promise<Place>;
  /** The same where one is there already; null, and nothing is started, where there is none. */
  find(place: PlaceRef, term: number): Promise<Place | null>;
  /** Says what a place that is made for one session is to be made of; only executors that make places know it. */
  prepare?(
    place: PlaceRef,
    wish: { cwd: string | null; image: string | undefined },
  ): Promise<void>;
  /** Why it makes no sandboxes, seen by making one; null where it does. Only executors that make sandboxes know it. */
  whyNoSandbox?(place: PlaceRef): Promise<string | null>;
  /** Removes such a place, with all that is kept there. */
  remove?(place: PlaceRef): Promise<void>;
  /** Closes the connection to a place, if there is one. Its agents go on; who asks for it again connects anew. */
  leave(place: PlaceRef): Promise<void>;
  close(): Promise<void>;
}

/** A connected agentctl. Its refusals are `LinkError`s with a closed code; a lost connection rejects with `agentctl_unavailable`. */
export interface Place {
  readonly runtime: string;
  readonly url: string;
  readonly pid: number | null;
  readonly build: string;
  /** Made once for the home of this agentctl; null when it is of a release that does not say. */
  readonly placeId: PlaceId | null;
  /** Where it listens, when that is a port. */
  readonly port: number | null;
  /** What it runs in, when that is a container. */
  readonly containerId: string | null;
  /** Of its machine; null when it is of a release that does not say. */
  readonly arch: string | null;
  /** Where it makes directories for sessions; null where the server does. */
  readonly ownDirectories: string | null;
  start(order: StartOrder): Promise<void>;
  executions(): Promise<LinkResult<"executions">["executions"]>;
  attach(order: LinkParams<"attach">): Promise<void>;
  prompt(order: LinkParams<"prompt">): Promise<void>;
  cancel(order: LinkParams<"cancel">): Promise<void>;
  answer(order: LinkParams<"answer">): Promise<void>;
  /** Refused with `unknown_method` by an older agentctl. */
  change(order: LinkParams<"change">): Promise<void>;
  stop(order: LinkParams<"stop">): Promise<void>;
  acknowledge(order: LinkParams<"acknowledge">): Promise<void>;
  forget(order: LinkParams<"forget">): Promise<void>;
  /** Processes that an ended execution left behind, and their end. */
  survivors(execution: ExecutionId): Promise<readonly number[]>;
  clear(execution: ExecutionId): Promise<void>;
  /** All agents, or one alone as it is found in a directory; with the environment that they would get. */
  agents(order: LinkParams<"agents">): Promise<AgentView[]>;
  workspace(path: string): Promise<LinkResult<"workspace">>;
  /** What it can do for a session. */
  probe(order: LinkParams<"probe">): Promise<LinkResult<"probe">>;
  readonly workspaces: Workspaces;
  readonly run: Run;
  readonly transfers: Transfers;
  readonly files: WorkspaceFiles;
  readonly shells: PlaceShells;
  /** Called for every report, one at a time per execution. Set before anything is started or attached. */
  onReport(listen: (report: LinkReport["report"]) => void): void;
  /** Resolves when the connection is lost. */
  readonly closed: Promise<void>;
}

/** Files that lie with an agentctl while they go over its link, and are gone with the link. Refusals are those of orders. */
export interface Transfers {
  /** Resolves when all of it is there. What the content throws is thrown. */
  upload(content: AsyncIterable<string | Uint8Array>): Promise<TransferId>;
  /** All of its bytes, no faster than they are taken. */
  download(transfer: TransferId): AsyncIterable<Uint8Array>;
  release(transfers: readonly TransferId[]): Promise<void>;
}

/** The files of workspaces, whether agents work there or not. Refusals are those of orders. */
export interface WorkspaceFiles {
  list(order: LinkParams<"list_files">): Promise<LinkResult<"list_files">>;
  /** Of the machine. */
  directories(
    order: LinkParams<"list_directories">,
  ): Promise<LinkResult<"list_directories">>;
  read(order: ReadFile): Promise<FileContent>;
  /** What git says of a workspace. */
  status(order: LinkParams<"git_status">): Promise<LinkResult<"git_status">>;
  diff(order: LinkParams<"git_diff">): Promise<LinkResult<"git_diff">>;
  log(order: LinkParams<"git_log">): Promise<LinkResult<"git_log">>;
  branches(
    order: LinkParams<"git_branches">,
  ): Promise<LinkResult<"git_branches">>;
  /** Ends when the signal says so. */
  search(order: SearchOrder, signal: AbortSignal): Promise<SearchResult>;
  /** Resolves when the file is in place. What the content throws is thrown, and nothing is changed. */
  put(
    order: WriteFile,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenFile>;
}

/** Read it to its end, or close it. */
export interface FileContent {
  readonly head: FileHead;
  readonly content: AsyncIterable<Uint8Array>;
  close(): void;
}

/** Interactive shells. An older agentctl refuses all of it with `unknown_method`. */
export interface PlaceShells {
  /** One that was opened with this id before is the answer. */
  open(order: LinkParams<"shell_open">): Promise<Shell>;
  list(session: SessionId): Promise<Shell[]>;
  resize(order: LinkParams<"shell_resize">): Promise<Shell>;
  /** Answers when its processes are gone. */
  close(order: LinkParams<"shell_close">): Promise<Shell>;
  endAll(session: SessionId): Promise<void>;
  attach(order: {
    session_id: SessionId;
    shell_id: ShellId;
    /** How much of its output is known; null: nothing. */
    after: number | null;
  }): Promise<AttachedShell>;
}

/** What a shell shows, no faster than it is taken. It is read once, to its end or until somebody stops. */
export interface AttachedShell extends AsyncIterable<ShellMessage> {
  /** Resolves when agentctl can take it. */
  type(bytes: Uint8Array): Promise<void>;
  detach(): void;
}

/** What an agentctl does with workspaces and their checkpoints. */
export type Workspaces = {
  readonly [M in keyof typeof workspaceMethods]: (
    order: LinkParams<M>,
  ) => Promise<LinkResult<M>>;
};

/** Commands and processes in workspaces. Refused with `unknown_method` by an older agentctl. */
export type Run = {
  readonly [M in keyof typeof runMethods]: (
    order: LinkParams<M>,
  ) => Promise<LinkResult<M>>;
};
