import { createContext, useContext, useEffect, useEffectEvent } from "react";
import { type CommandId, commandIds } from "./command-table.ts";
import type { Actions, Commands, OpenPlace } from "./commands.ts";

export const CommandsContext = createContext<Commands | null>(null);

/** Offers commands while the component is shown, to keys and to the palette. */
export const useCommands = (actions: Actions): void => {
  const commands = useContext(CommandsContext);
  const run = useEffectEvent((id: CommandId) => actions[id]?.());
  const offered = commandIds.filter((id) => actions[id] !== undefined);
  const names = offered.join(" ");
  useEffect(
    () =>
      commands?.offer(
        commandIds.filter((id) => names.split(" ").includes(id)),
        (id) => run(id),
      ),
    [commands, names],
  );
};

/** Says which session is open while the component is shown. */
export const useOpenPlace = (place: OpenPlace): void => {
  const commands = useContext(CommandsContext);
  const current = useEffectEvent(() => place);
  useEffect(() => commands?.enter(() => current()), [commands]);
};
