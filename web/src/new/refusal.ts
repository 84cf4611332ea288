/** Where a refusal of a new session is shown. */
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import { refusalWords } from "../words/refusal-words.ts";

export interface Refusal {
  field: "agent" | "directory" | "rest" | null;
  text: string;
  /** The directory could be used without a worktree. */
  isNoRepository: boolean;
}

export const refusalOf = (error: unknown): Refusal => {
  const code = error instanceof RepriseError ? error.code : null;
  const paths = error instanceof RepriseError ? (error.issues ?? []) : [];
  return {
    field: fieldOf(
      code,
      paths.map(({ path }) => path),
    ),
    text: refusalWords(error),
    isNoRepository: code === "not_a_repository",
  };
};

const fieldOf = (
  code: RepriseError["code"] | null,
  paths: readonly string[],
): Refusal["field"] => {
  switch (code) {
    case "cwd_not_found":
    case "cwd_not_a_directory":
    case "not_a_repository":
    case "worktree_conflict":
      return "directory";
    case "unknown_agent":
    case "agent_not_installed":
      return "agent";
    case "restriction_not_held":
      return "rest";
    default:
      break;
  }
  if (paths.some((path) => /^(cwd|worktree)$/.test(path))) return "directory";
  return paths.some((path) => /^(name|model|mode)$/.test(path)) ? "rest" : null;
};
