/** Which variables of the server's own environment agents get (SES-72). Pure. */
import { HOME_VARIABLES } from "../contract/agent/home-variables.ts";
import { LOGIN_VARIABLES } from "../contract/agent/login-variables.ts";
import { cleanEnvironment } from "../kit/processes/clean-environment.ts";

/** The person, the terminal, the language, the network. */
const GENERAL = [
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "PATH",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TZ",
  "TERM",
  "COLORTERM",
  "NO_COLOR",
  "TMPDIR",
  "XDG_*",
  "DBUS_SESSION_BUS_ADDRESS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

/** Settings of agents. A key without the address it belongs to would be sent to another service. */
const AGENT_SETTINGS = [
  "AMP_*",
  "ANTHROPIC_*",
  "AUGMENT_*",
  "CLAUDE_*",
  "CODEX_*",
  "COPILOT_*",
  "DEMO_*",
  "GEMINI_*",
  "GOOGLE_CLOUD_LOCATION",
  "GOOGLE_CLOUD_PROJECT",
  "INITIAL_AGENT_MODE",
  "OPENAI_*",
  "OPENCODE_*",
];

const ALLOWED = [
  ...GENERAL,
  ...AGENT_SETTINGS,
  ...HOME_VARIABLES,
  ...Object.values(LOGIN_VARIABLES).flat(),
];

/** Whether a variable is named so (`*` stands for any characters): then it goes to other hosts as well. */
export const isNamedIn = (
  passed: readonly string[],
): ((variable: string) => boolean) => {
  const patterns = passed.map(expressionOf);
  return (variable) => patterns.some((pattern) => pattern.test(variable));
};

/** `passed` holds names, in which `*` stands for any characters. What is ours is not passed, whatever they say. */
export const agentEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
  passed: readonly string[],
): Record<string, string> => {
  const patterns = [...ALLOWED, ...passed].map(expressionOf);
  return Object.fromEntries(
    Object.entries(cleanEnvironment(env)).filter(([name]) =>
      patterns.some((pattern) => pattern.test(name)),
    ),
  );
};

/** A variable that a profile names (SES-212): any of the server's, but for what is ours. */
export const variableFor = (
  env: Readonly<Record<string, string | undefined>>,
): ((name: string) => string | undefined) => {
  const clean = new Map(Object.entries(cleanEnvironment(env)));
  return (name) => clean.get(name);
};

/** Names hold nothing but letters, digits and underscores. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
