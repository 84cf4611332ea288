import { command } from "../parsing/command.ts";
import { change } from "./change.ts";

export const desktop = command({
  name: "notify desktop",
  summary: "Switch notifications on this desktop on or off",
  about:
    "They are shown by `notify-send`, on macOS by `osascript`, on the machine of the server.",
  args: [{ name: "STATE", help: "on or off", choices: ["on", "off"] }],
  options: {},
  examples: ["reprise notify desktop on"],
  run: ({ args }, world) => change(world, { desktop: args.STATE === "on" }),
});
