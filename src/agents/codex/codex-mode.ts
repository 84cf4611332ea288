/**
 * Codex's ACP program runs every turn with the sandbox and the approvals of its mode, whatever `config.toml` says. The
 * mode that stands for a person's configuration is found here. The person's own file decides; files in the workspace
 * (`.codex/config.toml`) can only make it stricter, because they come with the code.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPlain } from "../../kit/files/read-plain.ts";
import { rootOf } from "../state/agent-home.ts";
import type { OwnMode } from "../agent/agent.ts";
import { codexHome } from "./codex-sessions.ts";
import type { TranscriptWhere } from "../state/session-state.ts";
import { tomlValues } from "./toml-values.ts";

type Values = ReturnType<typeof tomlValues>;

export const codexMode = async (
  where: TranscriptWhere,
): Promise<OwnMode | null> => {
  // Its program follows this one by itself.
  if (where.env["INITIAL_AGENT_MODE"]) return null;
  const own = await valuesIn(
    join(rootOf(codexHome, "CODEX_HOME", where), "config.toml"),
  );
  const files = projectFiles(where.cwd);
  return modeFor(own, await Promise.all(files.map(valuesIn)));
};

/** From the working directory up to the root of its repository. */
const projectFiles = (cwd: string): string[] => {
  const files = [join(cwd, ".codex/config.toml")];
  for (let at = cwd; !existsSync(join(at, ".git")); at = dirname(at)) {
    if (dirname(at) === at) return files.slice(0, 1);
    files.push(join(dirname(at), ".codex/config.toml"));
  }
  return files;
};

/** No configuration is that long. */
const LONGEST = 4 * 1024 * 1024;

const valuesIn = async (path: string): Promise<Values> => {
  try {
    return tomlValues((await readPlain(path, LONGEST, { follow: true })) ?? "");
  } catch {
    return new Map();
  }
};

/** The strictest first. */
const SANDBOXES = [
  "read-only",
  "workspace-write",
  "danger-full-access",
] as const;
type Sandbox = (typeof SANDBOXES)[number];

export const modeFor = (
  own: Values,
  projects: readonly Values[],
): OwnMode | null => {
  const all = [own, ...projects];
  const said = all.flatMap(wordsIn);
  if (said.length === 0) return null;
  const sandbox = strictest(
    sandboxIn(own) ?? "workspace-write",
    ...projects.map(sandboxIn),
  );
  const isHeld = all.every(
    (values) =>
      isSandboxKnown(values) &&
      isApprovalKnown(values) &&
      (sandbox === "read-only" || !EXCLUDED.some((key) => isTrue(values, key))),
  );
  return {
    asked: said.join(", "),
    modes: isHeld ? modesOf(sandbox, own) : [],
  };
};

const KEYS = ["sandbox_mode", "approval_policy", "approvals_reviewer"];
/** Its modes leave the directories for temporary files open. */
const EXCLUDED = [
  "sandbox_workspace_write.exclude_slash_tmp",
  "sandbox_workspace_write.exclude_tmpdir_env_var",
];

/** What a configuration says of it, as it is written there. */
const wordsIn = (values: Values): string[] => [
  ...KEYS.filter((key) => values.has(key)).map((key) => {
    const value = values.get(key) ?? null;
    return `${key} = ${value === null ? "…" : `"${value}"`}`;
  }),
  ...EXCLUDED.filter((key) => isTrue(values, key)).map(
    (key) => `${key} = true`,
  ),
  ...(builtIn(values) === null
    ? []
    : [`default_permissions = "${values.get("default_permissions")}"`]),
];

const isTrue = (values: Values, key: string): boolean =>
  values.get(key) === "true";

/** Profiles of the person's own are modes that its program takes by itself; those that come with Codex are not. */
const builtIn = (values: Values): Sandbox | null => {
  switch (values.get("default_permissions")) {
    case ":read-only":
      return "read-only";
    case ":workspace":
      return "workspace-write";
    default:
      return null;
  }
};

const sandboxIn = (values: Values): Sandbox | null =>
  SANDBOXES.find((each) => each === values.get("sandbox_mode")) ??
  builtIn(values);

const strictest = (
  first: Sandbox,
  ...others: readonly (Sandbox | null)[]
): Sandbox =>
  SANDBOXES.find((each) => each === first || others.includes(each)) ?? first;

const isSandboxKnown = (values: Values): boolean =>
  !values.has("sandbox_mode") || sandboxIn(values) !== null;

/** Every mode but that of full access asks when something is to leave the sandbox. `untrusted` asks before that. */
const isApprovalKnown = (values: Values): boolean =>
  !values.has("approval_policy") ||
  ["on-request", "on-failure", "never"].includes(
    values.get("approval_policy") ?? "",
  );

/** With the names of older releases. */
const modesOf = (sandbox: Sandbox, own: Values): string[] => {
  if (sandbox === "read-only") return ["read-only"];
  if (
    sandbox === "danger-full-access" &&
    own.get("approval_policy") === "never"
  )
    return ["agent-full-access", "full-access"];
  return own.get("approvals_reviewer") === "auto_review"
    ? ["agent", "auto"]
    : ["workspace-write", "auto"];
};
