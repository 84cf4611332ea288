/** What the server needs from the house to answer a request. `runtime/` provides it. Refusals are `RepriseError`s. */
import type { Readable } from "node:stream";
import type { AgentView } from "../../contract/agent/agent.ts";
import type { ProfileView } from "../../contract/agent/profile-view.ts";
import type { Agreement } from "../../contract/api/agreement-route.ts";
import type { Race, RacesQuery } from "../../contract/api/race-route.ts";
import type { ImportQuery } from "../../contract/api/request.ts";
import type { ChangeSessionRequest } from "../../contract/api/change-request.ts";
import type { Checkpoint, Diff } from "../../contract/session/checkpoint.ts";
import type {
  Collected,
  DiskUse,
  PurgedSession,
  Rewound,
} from "../../contract/api/checkpoint-route.ts";
import type {
  OpenShellRequest,
  ShellSize,
} from "../../contract/api/shell/shell-route.ts";
import type { Damage } from "../../contract/api/damage-route.ts";
import type { PurgedTask } from "../../contract/api/task-route.ts";
import type { Event } from "../../contract/event/event.ts";
import type {
  PermissionId,
  PromptId,
  SessionId,
  ShellId,
  TaskId,
} from "../../contract/base/id.ts";
import type { LineAnswer } from "../../contract/session/line.ts";
import type { ShellMessage } from "../../contract/link/shell-message.ts";
import type { Shell } from "../../contract/session/shell.ts";
import type { Message } from "../../contract/session/message.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Prompt } from "../../contract/session/prompt.ts";
import type {
  AgentsQuery,
  CreateSessionRequest,
  DiffQuery,
  EndRequest,
  ForkRequest,
  GcRequest,
  HandoffRequest,
  MessagesQuery,
  PromptRequest,
  ResolveRequest,
  ResumeRequest,
  RewindRequest,
} from "../../contract/api/request.ts";
import type {
  MostRecentRequest,
  PromptPage,
} from "../../contract/api/find-route.ts";
import type { DirectoriesQuery } from "../../contract/api/directory-route.ts";
import type {
  FilesQuery,
  GitDiffQuery,
  GitLogQuery,
  SearchQuery,
} from "../../contract/api/workspace-route.ts";
import type { Directories } from "../../contract/session/directories.ts";
import type {
  GitBranches,
  GitDiff,
  GitLog,
  GitStatus,
} from "../../contract/session/git-look.ts";
import type { SearchResult } from "../../contract/session/search.ts";
import type { FileContent } from "../../runtime/ports/executors.ts";
import type { FileRead, FileWrite } from "../../contract/link/link-files.ts";
import type {
  DirectoryPage,
  WrittenFile,
} from "../../contract/session/workspace-file.ts";
import type {
  EndedProcess,
  ExecRequest,
  ExecResult,
  ProcessPage,
} from "../../contract/api/run-route.ts";
import type { HomeChange } from "../../contract/api/stream-route.ts";
import type {
  ConversationWindow,
  WindowQuery,
} from "../../contract/api/window-route.ts";
import type { ExecutorPlace } from "../../contract/session/executor-place.ts";
import type {
  Executor,
  Session,
  SessionStatus,
} from "../../contract/session/session.ts";
import type {
  ApplyTaskRequest,
  ChangeTaskRequest,
  ContextRequest,
  CreateTaskRequest,
  RetryTaskRequest,
  RunTaskRequest,
  TasksQuery,
} from "../../contract/api/task-request.ts";
import type {
  DeliveryView,
  WebhookTest,
  WebhookView,
} from "../../contract/api/webhook-route.ts";
import type { Attempt, Task } from "../../contract/task/task.ts";
import type { TaskEvent } from "../../contract/task/task-event.ts";

export interface Operations {
  createSession(request: CreateSessionRequest, key?: string): Promise<Session>;
  listSessions(filter: {
    task_id?: TaskId;
    cwd?: string;
    states?: readonly string[];
    resume_token?: string;
    name?: string;
    agent?: string;
    prefix?: string;
    parent?: SessionId;
    needs_you?: boolean;
    deleted?: boolean;
    order?: "activity" | "wish";
    limit: number;
    after?: string;
  }): Promise<{ sessions: Session[]; next: string | null }>;
  showSession(id: SessionId): Promise<Session>;
  showLine(id: SessionId): Promise<LineAnswer>;
  /** The session of an agent and a directory that was last asked something; the same key chooses the same one. */
  chooseMostRecent(request: MostRecentRequest, key?: string): Promise<Session>;
  /** The prompts that were given with a key, in whatever session. */
  findPrompts(key: string, after?: string): Promise<PromptPage>;
  /** What changes in the home, in batches, without end: behind a number, or from now on. */
  followHome(
    after: number | undefined,
    signal: AbortSignal,
  ): AsyncIterable<readonly HomeChange[]>;
  /** The number of the newest stored event, which may be ahead of what is shown for a moment. */
  journalEnd(id: SessionId): Promise<number>;
  /** Refuses a session that another server writes now: what happens to it is not heard here. */
  requireHeard(id: SessionId): Promise<void>;
  sessionStatus(id: SessionId): Promise<SessionStatus>;
  queuePrompt(
    id: SessionId,
    request: PromptRequest,
    key?: string,
  ): Promise<Prompt>;
  showPrompt(id: SessionId, prompt: PromptId): Promise<Prompt>;
  cancelPrompt(id: SessionId, prompt: PromptId): Promise<Prompt>;
  resolvePrompt(
    id: SessionId,
    prompt: PromptId,
    request: ResolveRequest,
    key?: string,
  ): Promise<Prompt>;
  /** Resolves when the agent is back, or refuses with the reason it is not. */
  resumeSession(
    id: SessionId,
    request?: ResumeRequest,
    key?: string,
  ): Promise<Session>;
  /** Resolves when the agent that runs has confirmed it, or refuses with what cannot be held. */
  changeSession(
    id: SessionId,
    request: ChangeSessionRequest,
    key?: string,
  ): Promise<Session>;
  pauseSession(id: SessionId, key?: string): Promise<Session>;
  endSession(
    id: SessionId,
    request: EndRequest,
    key?: string,
  ): Promise<Session>;
  cancelTurn(id: SessionId, key?: string): Promise<Session>;
  recoverSession(id: SessionId, key?: string): Promise<Session>;
  answerPermission(
    id: SessionId,
    permission: PermissionId,
    option: string,
    key?: string,
  ): Promise<Permission>;
  listEvents(id: SessionId, after: number, limit: number): Promise<Event[]>;
  /** Oldest first; `next` asks for the page behind it in the same direction. */
  listMessages(
    id: SessionId,
    query: MessagesQuery,
  ): Promise<{
    messages: Message[];
    next: string | null;
    previous: string | null;
    seq: number;
  }>;
  /** The newest part of the conversation, or the part before a message, with the events that happened meanwhile. */
  showWindow(id: SessionId, query: WindowQuery): Promise<ConversationWindow>;
  /** Everything after `after`, in batches, without end: what is stored first, then what happens, no gap between. */
  follow(
    id: SessionId,
    after: number,
    signal: AbortSignal,
  ): AsyncIterable<readonly Event[]>;
  /** Oldest first; of a damaged session those before the damage. */
  listCheckpoints(id: SessionId): Promise<Checkpoint[]>;
  showDiff(id: SessionId, query: DiffQuery): Promise<Diff>;
  rewindSession(
    id: SessionId,
    request: RewindRequest,
    key?: string,
  ): Promise<Rewound>;
  forkSession(
    id: SessionId,
    request: ForkRequest,
    key?: string,
  ): Promise<Session>;
  handOffSession(
    id: SessionId,
    request: HandoffRequest,
    key?: string,
  ): Promise<Session>;
  deleteSession(id: SessionId): Promise<Session>;
  undeleteSession(id: SessionId, key?: string): Promise<Session>;
  /** Resolves when it is gone. Only for what is in the trash. */
  purgeSession(id: SessionId, key?: string): Promise<PurgedSession>;
  listDirectories(query: DirectoriesQuery): Promise<Directories>;
  listFiles(
    id: SessionId,
    path: string,
    query: FilesQuery,
  ): Promise<DirectoryPage>;
  /** Ends with the signal: nobody waits for it then. */
  searchFiles(
    id: SessionId,
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<SearchResult>;
  showGitStatus(id: SessionId): Promise<GitStatus>;
  showGitDiff(id: SessionId, query: GitDiffQuery): Promise<GitDiff>;
  showGitLog(id: SessionId, query: GitLogQuery): Promise<GitLog>;
  showGitBranches(id: SessionId): Promise<GitBranches>;
  /** Read it to its end, or close it. */
  readFile(id: SessionId, path: string, asked: FileRead): Promise<FileContent>;
  /** What the content throws is thrown, and nothing is changed. */
  putFile(
    id: SessionId,
    path: string,
    asked: FileWrite,
    content: AsyncIterable<Uint8Array>,
  ): Promise<WrittenFile>;
  /** The file is whole before the first byte of it is given. */
  exportSession(id: SessionId): Promise<{ bytes: number; content: Readable }>;
  importSession(
    content: AsyncIterable<Uint8Array>,
    query: ImportQuery,
    key?: string,
  ): Promise<Session>;
  collectGarbage(request: GcRequest, key?: string): Promise<Collected>;
  showDiskUse(session?: SessionId): Promise<DiskUse>;
  showDamage(): Promise<Damage>;
  /** Resolves when the command is over; it is ended when the signal aborts. */
  execCommand(
    id: SessionId,
    request: ExecRequest,
    how: { key?: string | undefined; signal?: AbortSignal },
  ): Promise<ExecResult>;
  listProcesses(id: SessionId): Promise<ProcessPage>;
  /** Resolves when it is gone. */
  endProcess(id: SessionId, process: string): Promise<EndedProcess>;
  openShell(
    id: SessionId,
    request: OpenShellRequest,
    key?: string,
  ): Promise<Shell>;
  listShells(id: SessionId): Promise<Shell[]>;
  showShell(id: SessionId, shell: ShellId): Promise<Shell>;
  resizeShell(id: SessionId, shell: ShellId, size: ShellSize): Promise<Shell>;
  /** Resolves when its processes are gone. */
  closeShell(id: SessionId, shell: ShellId): Promise<Shell>;
  /** What a shell shows, behind so many bytes of its output; from a snapshot where it is null. */
  attachShell(
    id: SessionId,
    shell: ShellId,
    after: number | null,
  ): Promise<AttachedShell>;
  createTask(request: CreateTaskRequest, key?: string): Promise<Task>;
  listTasks(query: TasksQuery): Promise<{ tasks: Task[]; next: string | null }>;
  showTask(id: TaskId): Promise<Task>;
  showTaskByName(name: string): Promise<Task>;
  /** Makes the task with this name what is described, or creates it. */
  applyTask(name: string, request: ApplyTaskRequest): Promise<Task>;
  changeTask(
    id: TaskId,
    request: ChangeTaskRequest,
    key?: string,
  ): Promise<Task>;
  runTask(id: TaskId, request: RunTaskRequest, key?: string): Promise<Task>;
  retryTask(id: TaskId, request: RetryTaskRequest, key?: string): Promise<Task>;
  addContext(id: TaskId, request: ContextRequest, key?: string): Promise<Task>;
  closeTask(id: TaskId, as: "done" | "cancelled", key?: string): Promise<Task>;
  deleteTask(id: TaskId): Promise<Task>;
  undeleteTask(id: TaskId, key?: string): Promise<Task>;
  /** Resolves when it is gone. Only for what is in the trash. */
  purgeTask(id: TaskId, key?: string): Promise<PurgedTask>;
  listAttempts(id: TaskId): Promise<{ attempts: Attempt[]; next: null }>;
  listTaskEvents(
    id: TaskId,
    after: number,
    limit: number,
  ): Promise<TaskEvent[]>;
  followTask(
    id: TaskId,
    after: number,
    signal: AbortSignal,
  ): AsyncIterable<readonly TaskEvent[]>;
  listWebhooks(): Promise<WebhookView[]>;
  listDeliveries(query: {
    webhook?: string | undefined;
    limit: number;
  }): Promise<DeliveryView[]>;
  testWebhook(id: string, key?: string): Promise<WebhookTest>;
  switchOnWebhook(id: string): Promise<WebhookView>;
  showAgreement(name: string): Promise<Agreement>;
  /** The first value stays. */
  agree(name: string, value: string): Promise<Agreement>;
  listRaces(query: RacesQuery): Promise<{ races: Race[]; next: string | null }>;
  showRace(name: string): Promise<Race>;
  listAgents(query: AgentsQuery): Promise<AgentView[]>;
  listExecutors(): Promise<{
    executors: Executor[];
    places: ExecutorPlace[];
  }>;
  listProfiles(): ProfileView[];
}

/** It is read once, to its end or until somebody stops. */
export interface AttachedShell extends AsyncIterable<ShellMessage> {
  /** Resolves when agentctl can take it. */
  type(bytes: Uint8Array): Promise<void>;
  detach(): void;
}
