/** How each real agent is told to ask our scripted model, and where it keeps its things: variables and files, nothing else. */
import type { RealAgent } from "./packages.ts";

export interface SetUp {
  /** What starts it as an ACP agent. */
  argv: readonly string[];
  /** The mode in which it asks before it writes a file, when that is not its first one. */
  askingMode?: string;
  env(at: At): Record<string, string>;
  /** Files in the agent's home, by their path there. */
  files?(at: At): Record<string, string>;
}

export interface At {
  /** A directory of this agent's own. */
  home: string;
  /** Where the model listens. */
  model: string;
}

export const setUpOf: Readonly<Record<RealAgent, SetUp>> = {
  claude: {
    argv: ["claude-agent-acp"],
    env: ({ home, model }) => ({
      CLAUDE_CONFIG_DIR: home,
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "scripted",
      ANTHROPIC_MODEL: "claude-sonnet-4-5",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
    }),
  },
  codex: {
    argv: ["codex-acp"],
    askingMode: "read-only",
    env: ({ home }) => ({ CODEX_HOME: home, SCRIPTED_KEY: "scripted" }),
    files: ({ model }) => ({
      "config.toml": [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        `base_url = "${model}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        "",
      ].join("\n"),
    }),
  },
  opencode: {
    argv: ["opencode", "acp"],
    env: ({ home }) => ({
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_DATA_HOME: `${home}/data`,
      XDG_STATE_HOME: `${home}/state`,
      XDG_CACHE_HOME: `${home}/cache`,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      // Instead of the thousands it knows, which it goes through at every start.
      OPENCODE_MODELS_PATH: `${home}/models.json`,
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    }),
    files: ({ model }) => ({
      "models.json": "{}",
      "config/opencode/opencode.json": JSON.stringify({
        model: "scripted/scripted",
        permission: { edit: "ask", bash: "ask" },
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            name: "Scripted",
            options: { baseURL: `${model}/v1`, apiKey: "scripted" },
            models: { scripted: { name: "Scripted", tool_call: true } },
          },
        },
      }),
    }),
  },
  gemini: {
    argv: ["gemini", "--acp"],
    env: ({ home, model }) => ({
      GEMINI_CLI_HOME: home,
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_API_KEY: "scripted",
      GEMINI_MODEL: "gemini-2.5-pro",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
    }),
    files: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { sessionRetention: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
  },
  copilot: {
    argv: ["copilot", "--acp"],
    env: ({ home, model }) => ({
      COPILOT_HOME: home,
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "scripted",
      COPILOT_PROVIDER_WIRE_API: "completions",
      COPILOT_MODEL: "gpt-5",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    }),
  },
};
