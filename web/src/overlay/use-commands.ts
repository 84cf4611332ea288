import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
} from "react";
import { type CommandId, commandIds } from "./command-table.ts";
import type { Actions, Commands, OpenPlace } from "./commands.ts";

export const CommandsContext = createContext<Commands | null>(null);

/** Offers commands while the component is shown, to keys and to the palette. `isAbove`: they go before those of the screen. */
export const useCommands = (actions: Actions, isAbove = false): void => {
  const commands = useContext(CommandsContext);
  const run = useEffectEvent((id: CommandId) => actions[id]?.());
  const offered = commandIds.filter((id) => actions[id] !== undefined);
  const names = offered.join(" ");
  // With what is shown: a key that follows at once means what is in sight.
  useLayoutEffect(
    () =>
      commands?.offer(
        commandIds.filter((id) => names.split(" ").includes(id)),
        (id) => run(id),
        isAbove,
      ),
    [commands, names, isAbove],
  );
};

/** Says which session is open while the component is shown. */
export const useOpenPlace = (place: OpenPlace): void => {
  const commands = useContext(CommandsContext);
  const current = useEffectEvent(() => place);
  useEffect(() => commands?.enter(() => current()), [commands]);
};
