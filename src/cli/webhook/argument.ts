export const webhookArgument = {
  name: "ID",
  help: "its id in config.json",
} as const;
