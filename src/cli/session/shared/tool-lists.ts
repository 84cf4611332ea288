/** Lists of tools on the command line. */
import { patternFault } from "../../../contract/agent/tool-pattern.ts";
import { UsageError } from "../../parsing/usage-error.ts";

/** `Read,Bash(git add, git commit)` is two: what stands in parentheses stays together. */
export const toolsIn = (list: string): string[] => {
  const tools = [""];
  let depth = 0;
  for (const character of list) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth <= 0) tools.push("");
    else tools.push(`${tools.pop() ?? ""}${character}`);
  }
  return tools.map((tool) => tool.trim()).filter((tool) => tool !== "");
};

/** A pattern that fits nothing would hold nothing: it is refused before anything is sent. */
export const checkPatterns = (
  option: string,
  patterns: readonly string[],
  asked = patterns,
): void => {
  if (patterns.length === 0 && asked.length > 0)
    throw new UsageError(
      `${option} ${JSON.stringify(asked[0])} names no tool.`,
    );
  for (const pattern of patterns) {
    const fault = patternFault(pattern);
    if (fault !== null)
      throw new UsageError(
        `${option} ${JSON.stringify(pattern)} is not a pattern: ${fault}. Write TOOL or "TOOL(WHAT)", such as Bash or "Bash(git *)".`,
      );
  }
};
