import { homeOf } from "../../local/home.ts";
import { command } from "../parsing/command.ts";
import { answer } from "../terminal/print.ts";
import { readNotify } from "./config-file.ts";
import { settingsText, shownSettings } from "./settings-text.ts";

export const notify = command({
  name: "notify",
  summary: "Show how you are notified when a session needs you or is finished",
  about:
    "The settings are in config.json (`notify`). `notify desktop` and `notify url` change them, `notify off` switches both off, and `notify test` sends a notification.",
  args: [],
  options: {},
  examples: ["reprise notify"],
  async run(_, world) {
    const settings = await readNotify(homeOf(world));
    answer(world, shownSettings(settings), () =>
      settingsText(settings, world.out),
    );
    return 0;
  },
});
