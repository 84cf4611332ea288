/** Every command, in the order in which help shows them. */
import { acp } from "./machine/acp.ts";
import { agentctl } from "./machine/agentctl.ts";
import { agents } from "./machine/agents.ts";
import { executors } from "./machine/executors.ts";
import type { Command } from "./parsing/command.ts";
import { doctor } from "./doctor/doctor.ts";
import { down } from "./machine/down.ts";
import { gc } from "./machine/gc.ts";
import { install as installMcp } from "./mcp/install.ts";
import { uninstall as uninstallMcp } from "./mcp/uninstall.ts";
import { mcp } from "./machine/mcp.ts";
import { open } from "./machine/open.ts";
import { cancel } from "./session/cancel.ts";
import { exec } from "./session/run/exec.ts";
import { processes } from "./session/run/processes.ts";
import { checkpoints } from "./session/checkpoints.ts";
import { continueSession } from "./session/continue.ts";
import { deleteSession } from "./session/delete.ts";
import { diff } from "./session/diff.ts";
import { end } from "./session/end.ts";
import { events } from "./session/events.ts";
import { cat } from "./session/workspace/cat.ts";
import { files } from "./session/workspace/files.ts";
import { git } from "./session/workspace/git.ts";
import { put } from "./session/workspace/put.ts";
import { search } from "./session/workspace/search.ts";
import { exportSession } from "./session/export.ts";
import { fork } from "./session/fork.ts";
import { handoff } from "./session/handoff.ts";
import { importSession } from "./session/import.ts";
import { list } from "./session/list.ts";
import { messages } from "./session/messages.ts";
import { pause } from "./session/pause.ts";
import { permit } from "./session/permit.ts";
import { prompt } from "./session/prompt.ts";
import { recover } from "./session/recover.ts";
import { resolve } from "./session/resolve.ts";
import { resumeSession } from "./session/resume.ts";
import { rewind } from "./session/rewind.ts";
import { set } from "./session/set.ts";
import { show } from "./session/show.ts";
import { start } from "./session/start.ts";
import { status } from "./session/status.ts";
import { undelete } from "./session/undelete.ts";
import { shell } from "./shell/shell.ts";
import { apply } from "./apply/apply.ts";
import { race } from "./race/race.ts";
import { attempts } from "./task/attempts.ts";
import { cancel as cancelTask } from "./task/cancel.ts";
import { create as createTask } from "./task/create.ts";
import { deleteTask } from "./task/delete.ts";
import { done } from "./task/done.ts";
import { follow as followTask } from "./task/follow.ts";
import { list as listTasks } from "./task/list.ts";
import { retry } from "./task/retry.ts";
import { run as runTask } from "./task/run.ts";
import { show as showTask } from "./task/show.ts";
import { undeleteTask } from "./task/undelete.ts";
import { update } from "./task/update.ts";
import { purgeSessions, purgeTasks } from "./trash/purge.ts";
import { up } from "./machine/up.ts";
import { desktop as notifyDesktop } from "./notify/desktop.ts";
import { off as notifyOff } from "./notify/off.ts";
import { notify } from "./notify/show.ts";
import { test as notifyTest } from "./notify/test.ts";
import { url as notifyUrl } from "./notify/url.ts";
import { deliveries } from "./webhook/deliveries.ts";
import { list as listWebhooks } from "./webhook/list.ts";
import { on as switchOnWebhook } from "./webhook/on.ts";
import { test as testWebhook } from "./webhook/test.ts";

export const commands: readonly Command[] = [
  up,
  down,
  open,
  agents,
  executors,
  start,
  continueSession,
  prompt,
  list,
  show,
  status,
  messages,
  events,
  permit,
  resolve,
  cancel,
  pause,
  resumeSession,
  set,
  end,
  recover,
  files,
  cat,
  put,
  search,
  git,
  checkpoints,
  diff,
  exec,
  processes,
  shell,
  rewind,
  fork,
  handoff,
  exportSession,
  importSession,
  deleteSession,
  undelete,
  purgeSessions,
  race,
  createTask,
  runTask,
  followTask,
  retry,
  update,
  listTasks,
  showTask,
  attempts,
  done,
  cancelTask,
  deleteTask,
  undeleteTask,
  purgeTasks,
  apply,
  notify,
  notifyDesktop,
  notifyUrl,
  notifyOff,
  notifyTest,
  listWebhooks,
  testWebhook,
  deliveries,
  switchOnWebhook,
  acp,
  mcp,
  installMcp,
  uninstallMcp,
  doctor,
  gc,
  agentctl,
];
