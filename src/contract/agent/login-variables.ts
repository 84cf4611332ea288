/** Variables that are a login to an agent, by its id. The server tells the credentials of those who ask apart by them (SES-61). */
export const LOGIN_VARIABLES = {
  amp: ["AMP_API_KEY"],
  auggie: ["AUGMENT_SESSION_AUTH", "AUGMENT_API_TOKEN"],
  claude: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
  ],
  codex: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  copilot: [
    "COPILOT_GITHUB_TOKEN",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "COPILOT_PROVIDER_BASE_URL",
  ],
  gemini: [
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_GENAI_USE_GCA",
  ],
  opencode: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"],
} as const satisfies Record<string, readonly string[]>;

/** None for an agent that needs no login, or is not ours. */
export const loginVariablesOf = (agent: string): readonly string[] =>
  new Map<string, readonly string[]>(Object.entries(LOGIN_VARIABLES)).get(
    agent,
  ) ?? [];

/** Variables that say whose account it is, where one of the above chooses a service that has a login of its own. */
const ACCOUNTS = new Map<string, readonly string[]>([
  [
    "CLAUDE_CODE_USE_BEDROCK",
    [
      "AWS_ACCESS_KEY_ID",
      "AWS_BEARER_TOKEN_BEDROCK",
      "AWS_PROFILE",
      "AWS_SECRET_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
    ],
  ],
  [
    "CLAUDE_CODE_USE_VERTEX",
    ["ANTHROPIC_VERTEX_PROJECT_ID", "GOOGLE_APPLICATION_CREDENTIALS"],
  ],
  [
    "GOOGLE_GENAI_USE_VERTEXAI",
    ["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT"],
  ],
  [
    "COPILOT_PROVIDER_BASE_URL",
    ["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"],
  ],
]);

/** By these the credentials of those who ask are told apart. Whose account a service is used with counts where it is chosen. */
export const credentialVariablesOf = (
  agent: string,
  env: Readonly<Record<string, string>>,
): readonly string[] =>
  loginVariablesOf(agent).flatMap((name) => [
    name,
    ...((env[name] ? ACCOUNTS.get(name) : undefined) ?? []),
  ]);

/** Those of them that hold a key or a token. The others choose a service that has a login of its own. */
export const keyVariables = (variables: readonly string[]): string[] =>
  variables.filter((name) => /_(KEY|TOKEN|AUTH)$/.test(name));
