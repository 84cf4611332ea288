import type { LinkRefusal } from "../../contract/link/link-refusal.ts";
import type { ProblemCode } from "../../contract/problem/problem.ts";

/** What a refusal of agentctl is to whoever asked us. */
export const problemOfRefusal = (code: LinkRefusal): ProblemCode => {
  switch (code) {
    case "damaged_archive":
    case "unsafe_archive":
    case "newer_archive":
    case "not_a_repository":
    case "worktree_conflict":
    case "storage_full":
    case "workspace_missing":
    case "path_invalid":
    case "path_not_found":
    case "path_outside":
    case "path_denied":
    case "too_many_links":
    case "not_a_file":
    case "not_a_directory":
    case "precondition_failed":
    case "file_too_large":
    case "timed_out":
    case "too_many_commands":
    case "command_not_started":
    case "process_is_agent":
    case "search_unavailable":
    case "sandbox_unavailable":
    case "invalid_pattern":
    case "git_failed":
    case "unknown_revision":
    case "shell_ended":
    case "too_many_shells":
      return code;
    case "unknown_process":
      return "process_not_found";
    case "unknown_shell":
      return "shell_not_found";
    case "unknown_tree":
      return "checkpoint_damaged";
    case "workspace_unreadable":
      return "cwd_not_found";
    case "workspace_changing":
      return "rewind_conflict";
    case "workspace_holds_home":
    case "not_owner":
    case "unknown_method":
    case "no_terminals":
      return "not_supported";
    case "unknown_transfer":
      return "agentctl_unavailable";
    case "predecessor_alive":
    case "workspace_mounted":
      return "workspace_busy";
    default:
      return "internal";
  }
};
