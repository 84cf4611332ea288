import type { CliDefinition } from "../../../agents/launch/stream-json-definition.ts";

/** It wants a form filled in, and ACP has none: without it the model asks in words. */
const NOT_SHOWN = "AskUserQuestion";

export const claudeDefinition = ({
  model,
  offered,
  withheld,
  settings,
}: CliDefinition): string[] => [
  `--disallowedTools=${[NOT_SHOWN, ...withheld].join(",")}`,
  ...(offered === null ? [] : [`--tools=${offered.join(",")}`]),
  ...(model === null ? [] : [`--model=${model}`]),
  ...(settings === null ? [] : [`--settings=${settings}`]),
];
