import { command } from "../parsing/command.ts";

export const agentctl = command({
  name: "agentctl",
  summary: "Run the daemon beside the agents",
  about: "Executors start it; there is seldom a reason to do so by hand.",
  args: [],
  options: {
    home: {
      kind: "text",
      value: "DIR",
      required: true,
      help: "the home whose agents it holds",
    },
    socket: {
      kind: "text",
      value: "PATH",
      required: true,
      help: "the unix socket it listens on",
    },
  },
  examples: [
    "reprise agentctl --home ~/.reprise --socket ~/.reprise/agentctl/agentctl.sock",
  ],
  advanced: true,
  async run({ options }, world) {
    await world.programs.agentctl([
      "--home",
      options.home,
      "--socket",
      options.socket,
    ]);
    return 0;
  },
});
