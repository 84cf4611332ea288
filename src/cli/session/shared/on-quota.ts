export const onQuotaOption = {
  kind: "text",
  value: "Q",
  help: "when the agent's quota is used up: wait for you, continue when it is filled again, or handoff:A,B to have the next of these agents go on until then",
} as const;
