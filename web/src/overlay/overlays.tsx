import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { useLocation } from "wouter";
import { Uncopied } from "../kit/copy-text.ts";
import { latePart } from "../late/late.tsx";
import { routes } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { Commands, type OpenPlace } from "./commands.ts";
import { isMac } from "./is-mac.ts";
import { type Begun, press, type Pressed } from "./press.ts";
import { CommandsContext, useCommands } from "./use-commands.ts";

const Palette = latePart({
  name: "Search and commands",
  load: async () => (await import("./palette.tsx")).default,
  look: "over",
});
const UncopiedText = latePart({
  name: "What the browser does not let the page copy",
  load: async () => (await import("./uncopied.tsx")).default,
  look: "over",
});
const KeysHelp = latePart({
  name: "The list of keys",
  load: async () => (await import("./keys-help.tsx")).default,
  look: "over",
});

type Shown = "palette" | "help" | null;

/** Keys for the whole page, and what they open over it. */
export const Overlays = ({
  stores,
  children,
}: {
  stores: PageStores;
  children: ReactNode;
}) => {
  const [commands] = useState(() => new Commands());
  return (
    <CommandsContext value={commands}>
      <Keys commands={commands} />
      {children}
      <Opened stores={stores} commands={commands} />
    </CommandsContext>
  );
};

/** The commands of every place, and what they open. */
const Opened = ({
  stores,
  commands,
}: {
  stores: PageStores;
  commands: Commands;
}) => {
  const [, navigate] = useLocation();
  const [shown, setShown] = useState<Shown>(null);
  /** Their code comes when they are first opened, and stays. */
  const [wanted, setWanted] = useState<ReadonlySet<Shown>>(new Set());
  /** Where one was when it was opened: screens tell it to events, not while they are rendered. */
  const [place, setPlace] = useState<OpenPlace | null>(null);
  const [uncopied, setUncopied] = useState<string | null>(null);
  useEffect(() => {
    const take = (event: Event) => {
      if (event instanceof Uncopied) setUncopied(event.text);
    };
    document.addEventListener(Uncopied.type, take);
    return () => document.removeEventListener(Uncopied.type, take);
  }, []);
  const close = () => setShown(null);
  const show = (what: Shown) => {
    setPlace(commands.place());
    setShown(what);
    setWanted((known) => new Set([...known, what]));
  };
  useCommands({
    palette: () => show("palette"),
    help: () => show("help"),
    new_session: () => navigate(routes.newSession),
    home: () => navigate(routes.home),
    tasks: () => navigate("/tasks"),
    agents: () => navigate(routes.agents),
    settings: () => navigate(routes.settings),
    trash: () => navigate(routes.trash),
  });
  return (
    <>
      {wanted.has("palette") && (
        <Palette
          stores={stores}
          commands={commands}
          place={place}
          isOpen={shown === "palette"}
          onClose={close}
          onDismiss={close}
        />
      )}
      {uncopied !== null && (
        <UncopiedText
          text={uncopied}
          onClose={() => setUncopied(null)}
          onDismiss={() => setUncopied(null)}
        />
      )}
      {wanted.has("help") && (
        <KeysHelp isOpen={shown === "help"} onClose={close} onDismiss={close} />
      )}
    </>
  );
};

const Keys = ({ commands }: { commands: Commands }) => {
  const begun = useRef<Begun | null>(null);
  // Where nothing else is searched, the commands are.
  useCommands({ search: () => commands.run("palette") });
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const does = press(
      pressedOf(event),
      begun.current,
      (id) => commands.has(id),
      event.timeStamp,
    );
    begun.current = does.kind === "begun" ? does.begun : null;
    if (does.kind !== "command") return;
    event.preventDefault();
    commands.run(does.id);
  });
  useEffect(() => {
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
  return null;
};

const pressedOf = (event: KeyboardEvent): Pressed => {
  const { key, ctrlKey, metaKey, altKey, repeat, target } = event;
  return {
    key,
    hasMod: !altKey && (isMac(navigator) ? metaKey && !ctrlKey : ctrlKey),
    hasModifier: ctrlKey || metaKey || altKey,
    isRepeat: repeat,
    where: target instanceof Element ? whereOf(target) : "page",
  };
};

const whereOf = (target: Element): Pressed["where"] => {
  if (target.closest("[role=dialog], [role=menu], [data-own-keys], .xterm"))
    return "closed";
  return target.closest("input, textarea, select, [contenteditable]")
    ? "field"
    : "page";
};
