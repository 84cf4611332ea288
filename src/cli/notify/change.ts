import type { NotifySettings } from "../../contract/api/webhook-settings.ts";
import { homeOf } from "../../local/home.ts";
import type { ExitCode } from "../parsing/exit-code.ts";
import { answer } from "../terminal/print.ts";
import type { World } from "../terminal/world.ts";
import { changeNotify } from "./config-file.ts";
import { settingsText, shownSettings } from "./settings-text.ts";
import { takenUp, takenUpWords } from "./taken-up.ts";

/** Changes the settings, and says what they are and whether they hold already. */
export const change = async (
  world: World,
  changes: Partial<NotifySettings>,
): Promise<ExitCode> => {
  const settings = await changeNotify(homeOf(world), changes);
  const when = await takenUp(settings, world);
  const isOn = settings.desktop || settings.url !== null;
  answer(
    world,
    { ...shownSettings(settings), taken_up: when === "now" },
    () =>
      `${settingsText(settings, world.out)}${takenUpWords[when]}${isOn ? ` Try it with \`${world.program} notify test\`.` : ""}`,
  );
  return 0;
};
