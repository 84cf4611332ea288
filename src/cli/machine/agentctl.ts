import { resolve } from "node:path";
import {
  isLoopback,
  parseAddress,
} from "../../contract/link/network-address.ts";
import { homeOf } from "../../local/home.ts";
import { command } from "../parsing/command.ts";
import { UsageError } from "../parsing/usage-error.ts";

export const agentctl = command({
  name: "agentctl",
  summary: "Run agents on this machine for a server on another one",
  about:
    "With --listen it runs in the foreground and prints what the server's config.json needs. It has a home of its own, which belongs to the first server that connects. Ctrl-C and SIGTERM end it; agents go on, and the next one takes them over. See docs/guide/executors.md. Without --listen it is the daemon that a server starts by itself.",
  args: [],
  options: {
    listen: {
      kind: "text",
      value: "HOST:PORT",
      help: "the address servers connect to; port 0 takes any that is free",
    },
    "token-file": {
      kind: "text",
      value: "FILE",
      help: "holds the token servers have to show; default one that is made in the home",
    },
    home: {
      kind: "text",
      value: "DIR",
      help: "where everything is kept; default REPRISE_HOME or ~/.reprise",
    },
    plain: {
      kind: "flag",
      help: "no TLS; only for addresses of this machine, for example behind an SSH tunnel",
    },
    socket: {
      kind: "text",
      value: "PATH",
      help: "only listen on this unix socket, and stay in this process",
    },
  },
  exits: { 3: "another agentctl runs in this home" },
  examples: [
    "reprise agentctl --listen 0.0.0.0:7421",
    "reprise agentctl --listen 127.0.0.1:7421 --plain --home ~/.reprise-agents",
  ],
  advanced: true,
  async run({ options }, world) {
    const { listen, socket, plain } = options;
    const { env, cwd, version, json, programs } = world;
    const home =
      options.home === undefined
        ? homeOf({ env, cwd })
        : resolve(cwd, options.home);
    if (listen === undefined) {
      if (socket === undefined || options.home === undefined)
        throw new UsageError(
          "Say where servers connect to: --listen HOST:PORT.",
        );
      await programs.agentctl(["--home", home, "--socket", socket]);
      return 0;
    }
    if (socket !== undefined)
      throw new UsageError("--listen and --socket do not go together.");
    requireUsable(listen, plain);
    const file = options["token-file"];
    await programs.host({
      home,
      version,
      listen,
      tokenFile: file === undefined ? undefined : resolve(cwd, file),
      isPlain: plain,
      isJson: json,
      env,
    });
    return 0;
  },
});

const requireUsable = (listen: string, isPlain: boolean): void => {
  const address = parseAddress(listen);
  if (address === null)
    throw new UsageError(
      `"${listen}" is no address to listen on. Write HOST:PORT, with an IPv6 address in brackets.`,
    );
  if (isPlain && !isLoopback(address.host))
    throw new UsageError(
      `--plain is for addresses of this machine: on ${address.host} the token could be read on the way. Leave it out, or listen on 127.0.0.1.`,
    );
};
