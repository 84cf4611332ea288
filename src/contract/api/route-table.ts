/**
 * Where each route is, how it is asked and with which status it answers: all that a client has to know where it does not look at
 * what goes over the wire. `routes` says the rest.
 */
export const routeTable = {
  health: ["GET", "/health", 200],
  createSession: ["POST", "/api/sessions", 201],
  listSessions: ["GET", "/api/sessions", 200],
  showSession: ["GET", "/api/sessions/:id", 200],
  changeSession: ["PATCH", "/api/sessions/:id", 200],
  sessionStatus: ["GET", "/api/sessions/:id/status", 200],
  queuePrompt: ["POST", "/api/sessions/:id/prompts", 202],
  showPrompt: ["GET", "/api/sessions/:id/prompts/:prompt_id", 200],
  cancelPrompt: ["DELETE", "/api/sessions/:id/prompts/:prompt_id", 200],
  resolvePrompt: ["POST", "/api/sessions/:id/prompts/:prompt_id/resolve", 200],
  resumeSession: ["POST", "/api/sessions/:id/resume", 200],
  pauseSession: ["POST", "/api/sessions/:id/pause", 200],
  endSession: ["POST", "/api/sessions/:id/end", 200],
  cancelTurn: ["POST", "/api/sessions/:id/cancel", 200],
  recoverSession: ["POST", "/api/sessions/:id/recover", 200],
  listEvents: ["GET", "/api/sessions/:id/events", 200],
  listMessages: ["GET", "/api/sessions/:id/messages", 200],
  streamEvents: ["GET", "/api/sessions/:id/stream", 200],
  answerPermission: ["POST", "/api/sessions/:id/permissions/:request_id", 200],
  listAgents: ["GET", "/api/agents", 200],
  listExecutors: ["GET", "/api/executors", 200],
  showAgreement: ["GET", "/api/agreements/:name", 200],
  agree: ["PUT", "/api/agreements/:name", 200],
  listRaces: ["GET", "/api/races", 200],
  showRace: ["GET", "/api/races/:name", 200],
  listCheckpoints: ["GET", "/api/sessions/:id/checkpoints", 200],
  showDiff: ["GET", "/api/sessions/:id/diff", 200],
  rewindSession: ["POST", "/api/sessions/:id/rewind", 200],
  forkSession: ["POST", "/api/sessions/:id/fork", 201],
  handOffSession: ["POST", "/api/sessions/:id/handoff", 200],
  deleteSession: ["DELETE", "/api/sessions/:id", 200],
  undeleteSession: ["POST", "/api/sessions/:id/undelete", 200],
  purgeSession: ["POST", "/api/sessions/:id/purge", 200],
  exportSession: ["GET", "/api/sessions/:id/export", 200],
  importSession: ["POST", "/api/sessions/import", 201],
  collectGarbage: ["POST", "/api/gc", 200],
  showDiskUse: ["GET", "/api/disk", 200],
  showDamage: ["GET", "/api/damage", 200],
  chooseMostRecent: ["POST", "/api/sessions/most-recent", 200],
  findPrompts: ["GET", "/api/prompts", 200],
  showLine: ["GET", "/api/sessions/:id/line", 200],
  execCommand: ["POST", "/api/sessions/:id/exec", 200],
  listProcesses: ["GET", "/api/sessions/:id/processes", 200],
  endProcess: ["DELETE", "/api/sessions/:id/processes/:process_id", 200],
  openShell: ["POST", "/api/sessions/:id/shells", 201],
  listShells: ["GET", "/api/sessions/:id/shells", 200],
  showShell: ["GET", "/api/sessions/:id/shells/:shell_id", 200],
  resizeShell: ["PUT", "/api/sessions/:id/shells/:shell_id/size", 200],
  closeShell: ["DELETE", "/api/sessions/:id/shells/:shell_id", 200],
  streamHome: ["GET", "/api/stream", 200],
  createTask: ["POST", "/api/tasks", 201],
  listTasks: ["GET", "/api/tasks", 200],
  applyTask: ["PUT", "/api/tasks/by-name/:name", 200],
  showTaskByName: ["GET", "/api/tasks/by-name/:name", 200],
  showTask: ["GET", "/api/tasks/:id", 200],
  changeTask: ["PATCH", "/api/tasks/:id", 200],
  runTask: ["POST", "/api/tasks/:id/run", 200],
  retryTask: ["POST", "/api/tasks/:id/retry", 200],
  addContext: ["POST", "/api/tasks/:id/context", 200],
  finishTask: ["POST", "/api/tasks/:id/done", 200],
  cancelTask: ["POST", "/api/tasks/:id/cancel", 200],
  deleteTask: ["DELETE", "/api/tasks/:id", 200],
  undeleteTask: ["POST", "/api/tasks/:id/undelete", 200],
  purgeTask: ["POST", "/api/tasks/:id/purge", 200],
  listAttempts: ["GET", "/api/tasks/:id/attempts", 200],
  listTaskEvents: ["GET", "/api/tasks/:id/events", 200],
  streamTaskEvents: ["GET", "/api/tasks/:id/stream", 200],
  listWebhooks: ["GET", "/api/webhooks", 200],
  listDeliveries: ["GET", "/api/webhooks/deliveries", 200],
  testWebhook: ["POST", "/api/webhooks/:id/test", 200],
  switchOnWebhook: ["PUT", "/api/webhooks/:id/on", 200],
  showWindow: ["GET", "/api/sessions/:id/window", 200],
  showFile: ["GET", "/api/sessions/:id/files/:path", 200],
  putFile: ["PUT", "/api/sessions/:id/files/:path", 200],
  searchFiles: ["GET", "/api/sessions/:id/search", 200],
  listDirectories: ["GET", "/api/directories", 200],
  showGitStatus: ["GET", "/api/sessions/:id/git/status", 200],
  showGitDiff: ["GET", "/api/sessions/:id/git/diff", 200],
  showGitLog: ["GET", "/api/sessions/:id/git/log", 200],
  showGitBranches: ["GET", "/api/sessions/:id/git/branches", 200],
} as const satisfies Record<
  string,
  readonly [
    /** Every POST and PATCH takes an `Idempotency-Key`. */
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    /** With `:name` for parameters. */
    path: string,
    status: number,
  ]
>;

export type RouteName = keyof typeof routeTable;

interface Endpoint<N extends RouteName> {
  method: (typeof routeTable)[N][0];
  path: (typeof routeTable)[N][1];
  status: (typeof routeTable)[N][2];
}

export const endpoint = <N extends RouteName>(name: N): Endpoint<N> => {
  const row: (typeof routeTable)[N] = routeTable[name];
  return { method: row[0], path: row[1], status: row[2] };
};
