/** The limits of one prompt, as they are said on the command line. */
import type { PromptInput } from "../../../contract/api/request.ts";
import type { CommandInput } from "../../parsing/command.ts";
import { UsageError } from "../../parsing/usage-error.ts";
import { checkPatterns, toolsIn } from "./tool-lists.ts";

export const limitOptions = {
  "allowed-tools": {
    kind: "list",
    value: "TOOLS",
    help: "the only tools the agent may use for this prompt, with commas between them; named as for `session start`",
  },
  "disallowed-tools": {
    kind: "list",
    value: "TOOLS",
    help: "tools the agent may not use for this prompt, with commas between them",
  },
  "max-tool-calls": {
    kind: "number",
    value: "N",
    help: "cancel the turn of this prompt at the tool call after these",
    max: 1_000_000_000,
  },
} as const;

export const promptLimitsOf = (
  options: CommandInput<readonly [], typeof limitOptions>["options"],
): Pick<PromptInput, "limits"> => {
  const allowed_tools = options["allowed-tools"].flatMap(toolsIn);
  const disallowed_tools = options["disallowed-tools"].flatMap(toolsIn);
  const max_tool_calls = options["max-tool-calls"];
  checkPatterns("--allowed-tools", allowed_tools, options["allowed-tools"]);
  checkPatterns(
    "--disallowed-tools",
    disallowed_tools,
    options["disallowed-tools"],
  );
  if (max_tool_calls === 0)
    throw new UsageError("--max-tool-calls must be at least 1.");
  const limits = {
    ...(allowed_tools.length > 0 && { allowed_tools }),
    ...(disallowed_tools.length > 0 && { disallowed_tools }),
    ...(max_tool_calls !== undefined && { max_tool_calls }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
};
