/**
 * Variables that say where agents keep their things, their own sessions among them. They are paths, no secrets. For one
 * session they stay as they were when it was created: elsewhere its agent would not find what it knows.
 */
export const HOME_VARIABLES: readonly string[] = [
  "HOME",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
  "COPILOT_HOME",
  "DEMO_HOME",
  "GEMINI_CLI_HOME",
];
