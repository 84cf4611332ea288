export const onInterruptOption = {
  kind: "text",
  value: "W",
  choices: ["wait", "continue"],
  help: "when a turn is cut off, by a crash for example: wait for you, or continue it",
} as const;
