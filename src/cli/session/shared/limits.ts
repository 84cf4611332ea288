/** The limits of one prompt, as they are said on the command line. */
import type { PromptInput } from "../../../contract/api/request.ts";
import type { CommandInput } from "../../parsing/command.ts";
import { UsageError } from "../../parsing/usage-error.ts";
import { checkPatterns, toolsIn } from "./tool-lists.ts";

export const limitOptions = {
  "allow-tool": {
    kind: "list",
    value: "TOOL",
    help: "for this prompt the agent may use only these tools, as with --allowed-tools of `session start`; may be repeated",
  },
  "disallow-tool": {
    kind: "list",
    value: "TOOL",
    help: "for this prompt the agent may not use it; may be repeated",
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
  const allowed_tools = options["allow-tool"].flatMap(toolsIn);
  const disallowed_tools = options["disallow-tool"].flatMap(toolsIn);
  const max_tool_calls = options["max-tool-calls"];
  checkPatterns("--allow-tool", allowed_tools, options["allow-tool"]);
  checkPatterns("--disallow-tool", disallowed_tools, options["disallow-tool"]);
  if (max_tool_calls === 0)
    throw new UsageError("--max-tool-calls must be at least 1.");
  const limits = {
    ...(allowed_tools.length > 0 && { allowed_tools }),
    ...(disallowed_tools.length > 0 && { disallowed_tools }),
    ...(max_tool_calls !== undefined && { max_tool_calls }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
};
