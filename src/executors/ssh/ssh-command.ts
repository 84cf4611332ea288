/** How OpenSSH's client is called. Nothing of it asks, forwards, shares a connection or runs a program here. */
import { isAbsolute, join } from "node:path";
import type { SshSettings } from "../../contract/link/executor-settings.ts";
import { cleanEnvironment } from "../../kit/processes/clean-environment.ts";

export const CONNECT_SECONDS = 10;

const OPTIONS = {
  // Of releases that do not know these there is nothing to be switched off.
  IgnoreUnknown:
    "SessionType,StdinNull,ForkAfterAuthentication,GSSAPIDelegateCredentials",
  SessionType: "default",
  StdinNull: "no",
  ForkAfterAuthentication: "no",
  BatchMode: "yes",
  StrictHostKeyChecking: "yes",
  VerifyHostKeyDNS: "no",
  UpdateHostKeys: "no",
  NoHostAuthenticationForLocalhost: "no",
  ConnectTimeout: CONNECT_SECONDS,
  // Links that are half open end within 15 seconds.
  ServerAliveInterval: 5,
  ServerAliveCountMax: 3,
  // The end of the process is the end of the connection.
  ControlMaster: "no",
  ControlPath: "none",
  ClearAllForwardings: "yes",
  ForwardAgent: "no",
  GSSAPIDelegateCredentials: "no",
  ForwardX11: "no",
  Tunnel: "no",
  PermitLocalCommand: "no",
  RemoteCommand: "none",
  RequestTTY: "no",
  EscapeChar: "none",
  LogLevel: "ERROR",
};

export const sshArguments = (
  { destination, port, config_file }: SshSettings,
  home: string,
  command: string,
): string[] => [
  ...(config_file === undefined
    ? []
    : ["-F", isAbsolute(config_file) ? config_file : join(home, config_file)]),
  ...(port === undefined ? [] : ["-p", `${port}`]),
  ...Object.entries(OPTIONS).flatMap(([name, value]) => [
    "-o",
    `${name}=${value}`,
  ]),
  "--",
  destination,
  command,
];

/**
 * Without the language of the server: ssh would send it to the host, and say in it what is the matter. Without a display, too,
 * so that nobody is asked: not by the ssh of a jump host either, which gets none of our options.
 */
export const sshEnvironment = (
  env: NodeJS.ProcessEnv,
): Record<string, string> =>
  Object.fromEntries([
    ...Object.entries(cleanEnvironment(env)).filter(
      ([name]) => !NOT_FOR_SSH.test(name),
    ),
    ["SSH_ASKPASS_REQUIRE", "never"],
  ]);

const NOT_FOR_SSH =
  /^(LANG|LANGUAGE|LC_.*|DISPLAY|WAYLAND_DISPLAY|SSH_ASKPASS.*)$/;
