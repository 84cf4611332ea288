/**
 * What lists show of a session. Its row is written with every append, so its size is limited whatever the session holds:
 * `shortened` names the fields of which something is left out. Whoever reads one session gets all of it.
 */
import type { AskedTool } from "../../contract/agent/asked-tool.ts";
import type { AgentDefinition } from "../../contract/agent/agent.ts";
import { textOf } from "../../contract/base/content.ts";
import { withHidden } from "../../contract/agent/mcp-secret.ts";
import type { Offered } from "../../contract/agent/offered.ts";
import type { Permission } from "../../contract/agent/permission.ts";
import type { Prompt } from "../../contract/session/prompt.ts";
import type { Session } from "../../contract/session/session.ts";
import type { Restriction } from "../../contract/agent/restriction.ts";
import { fitting } from "../../contract/base/text-limit.ts";
import { appliedOf } from "../state/applied.ts";
import type { QueuedPrompt, State } from "../state/state.ts";
import {
  errorMessageOf,
  pendingPermissionsOf,
  queuedPromptOf,
  restrictionOf,
  unresolvedPromptsOf,
  viewBesides,
} from "./view.ts";

/** In characters of JSON: of all entries of a field, and of the longest texts in them. */
const MAX_DEFINITION = 4096;
const MAX_PROMPTS = 8192;
const MAX_PERMISSIONS = 16_384;
const MAX_OPTIONS = 2048;
const MAX_UNRESOLVED = 4096;
const MAX_TEXT = 200;
const MAX_ERROR = 4096;
const MAX_VALID = 2048;
const MAX_OFFERED = 2048;

export const listedViewOf = (state: State): Session => {
  const fields = {
    definition: shortDefinition(state.agent.definition),
    queued_prompts: firstOf(
      state.prompts.queue.map((prompt) => shortPrompt(state.id, prompt)),
      MAX_PROMPTS,
    ),
    pending_permissions: firstOf(
      pendingPermissionsOf(state).map(shortPermission),
      MAX_PERMISSIONS,
    ),
    unresolved_prompts: firstOf(
      unresolvedPromptsOf(state).map(whole),
      MAX_UNRESOLVED,
    ),
    error_message: shortText(errorMessageOf(state), MAX_ERROR),
    restriction: shortRestriction(restrictionOf(state)),
    offered: shortOffered(state.agent.offered),
  };
  const shortened = SHORTENED.filter((name) => !fields[name].isWhole);
  return {
    ...viewBesides(state),
    definition: fields.definition.value,
    queued_prompts: fields.queued_prompts.value,
    pending_permissions: fields.pending_permissions.value,
    unresolved_prompts: fields.unresolved_prompts.value,
    error_message: fields.error_message.value,
    restriction: fields.restriction.value,
    offered: fields.offered.value,
    applied: appliedOf(state.agent.applied, fields.definition.value),
    ...(shortened.length > 0 && { shortened }),
  };
};

const SHORTENED = [
  "definition",
  "queued_prompts",
  "pending_permissions",
  "unresolved_prompts",
  "error_message",
  "restriction",
  "offered",
] as const;

/** What is left of a value. */
interface Part<T> {
  value: T;
  isWhole: boolean;
}

const whole = <T>(value: T): Part<T> => ({ value, isWhole: true });

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

/** As many of the first ones as there is room for. */
const firstOf = <T>(parts: readonly Part<T>[], max: number): Part<T[]> => {
  const value: T[] = [];
  let isWhole = true;
  let size = 0;
  for (const part of parts) {
    size += sizeOf(part.value);
    if (size > max) return { value, isWhole: false };
    value.push(part.value);
    isWhole &&= part.isWhole;
  }
  return { value, isWhole };
};

const shortText = <T extends string | null | undefined>(
  text: T,
  max = MAX_TEXT,
): Part<T | string> => {
  if (text === null || text === undefined) return whole(text);
  const end = fitting(text, max);
  return { value: text.slice(0, end), isWhole: end === text.length };
};

const shortRestriction = (
  restriction: Restriction | null,
): Part<Restriction | null> => {
  if (restriction === null) return whole(null);
  const asked = shortText(restriction.asked);
  const message = shortText(restriction.message);
  const valid = firstOf(restriction.valid.map(whole), MAX_VALID);
  return {
    value: {
      ...restriction,
      asked: asked.value,
      message: message.value,
      valid: valid.value,
    },
    isWhole: [asked, message, valid].every(({ isWhole }) => isWhole),
  };
};

/** Made once for each object, which never changes: the values may be large, and appends are many. */
const memoized = <K extends object, V>(make: (key: K) => V) => {
  const made = new WeakMap<K, V>();
  return (key: K): V => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
};

const isShortOffered = memoized(
  (offered: Offered) => sizeOf(offered) <= MAX_OFFERED,
);

/** Nobody chooses in a list. */
const shortOffered = (offered: Offered | null): Part<Offered | null> =>
  offered === null || isShortOffered(offered)
    ? whole(offered)
    : { value: null, isWhole: false };

const shortPromptText = memoized(({ content }: QueuedPrompt) =>
  shortText(textOf(content)),
);

const shortPrompt = (
  session: Session["id"],
  prompt: QueuedPrompt,
): Part<Prompt> => {
  const { value: text, isWhole } = shortPromptText(prompt);
  return { value: queuedPromptOf(session, prompt, text), isWhole };
};

const shortPermission = memoized((permission: Permission): Part<Permission> => {
  const title = shortText(permission.title);
  const tool_kind = shortText(permission.tool_kind);
  const tool_name = shortText(permission.tool_name);
  const options = firstOf(permission.options.map(whole), MAX_OPTIONS);
  const tool = shortTool(permission.tool);
  return {
    value: {
      ...permission,
      title: title.value,
      tool_kind: tool_kind.value,
      ...(tool_name.value !== undefined && { tool_name: tool_name.value }),
      ...(tool.value !== undefined && { tool: tool.value }),
      options: options.value,
    },
    isWhole: [title, tool_kind, tool_name, options, tool].every(
      ({ isWhole }) => isWhole,
    ),
  };
});

/** Only the beginning of the tool call: the whole of it is in the session itself. */
const MAX_TOOL_TEXT = 80;

const shortTool = (
  tool: AskedTool | undefined,
): Part<AskedTool | undefined> => {
  if (tool === undefined) return whole(tool);
  const title = shortText(tool.title, MAX_TOOL_TEXT);
  const command = shortText(tool.command, MAX_TOOL_TEXT);
  const [path] = tool.paths.map((each) => shortText(each, MAX_TOOL_TEXT));
  const isCut = {
    title: !title.isWhole,
    command: !command.isWhole,
    paths: tool.paths.length > 1 || path?.isWhole === false,
    diff: tool.diff !== null,
    input: tool.input !== null,
  };
  const cut = TOOL_FIELDS.filter((name) => isCut[name]);
  const shortened = [...new Set([...(tool.shortened ?? []), ...cut])];
  return {
    value: {
      id: shortText(tool.id, MAX_TOOL_TEXT).value,
      kind: shortText(tool.kind, MAX_TOOL_TEXT).value,
      title: title.value,
      command: command.value,
      paths: path === undefined ? [] : [path.value],
      diff: null,
      input: null,
      ...(shortened.length > 0 && { shortened }),
    },
    isWhole: cut.length === 0,
  };
};

const TOOL_FIELDS = ["title", "command", "paths", "diff", "input"] as const;

/** Of a long definition the short fields, and the beginning of the instructions. */
const shortDefinition = memoized(
  (definition: AgentDefinition): Part<AgentDefinition> => {
    const full = withHidden(definition);
    if (sizeOf(full) <= MAX_DEFINITION) return whole(full);
    const { agent, home, env_names, instructions, ...others } = full;
    const value: AgentDefinition = {
      agent,
      home,
      env_names: firstOf(env_names.map(whole), MAX_DEFINITION / 4).value,
      ...(instructions !== undefined && {
        instructions: shortText(instructions).value,
      }),
    };
    const shortest = Object.entries(others).sort(
      ([, a], [, b]) => sizeOf(a) - sizeOf(b),
    );
    let size = sizeOf(value);
    for (const [name, field] of shortest) {
      size += sizeOf({ [name]: field });
      if (size > MAX_DEFINITION) break;
      Object.assign(value, { [name]: field });
    }
    return { value, isWhole: false };
  },
);
