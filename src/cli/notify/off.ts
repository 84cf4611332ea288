import { command } from "../parsing/command.ts";
import { change } from "./change.ts";

export const off = command({
  name: "notify off",
  summary: "Switch all notifications off",
  about: "Webhooks in config.json are not touched.",
  args: [],
  options: {},
  examples: ["reprise notify off"],
  run: (_, world) =>
    change(world, { desktop: false, url: null, token_file: null }),
});
