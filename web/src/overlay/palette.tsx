import * as Ariakit from "@ariakit/react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import { useFileSearch } from "../dock/use-file-search.ts";
import { Icon } from "../kit/icon.tsx";
import { copyText } from "../kit/copy-text.ts";
import { Kbd } from "../kit/kbd.tsx";
import { useNow } from "../kit/now.tsx";
import { useReadable, useSelected } from "../kit/use-readable.ts";
import type { PageStores } from "../start/page-stores.ts";
import { unreachable } from "../../../src/kit/unreachable.ts";
import { Dialog } from "./dialog.tsx";
import type { Commands, OpenPlace } from "./commands.ts";
import {
  type Catalogue,
  catalogue,
  type PaletteItem,
  paletteGroups,
} from "./palette-items.ts";
import { PaletteRow } from "./palette-row.tsx";
import style from "./palette.module.css";

/** Finds what can be done and where one can go. It is loaded when it is first opened. */
const Palette = ({
  isOpen,
  onClose,
  ...rest
}: {
  stores: PageStores;
  commands: Commands;
  /** The session that is open. */
  place: OpenPlace | null;
  isOpen: boolean;
  onClose: () => void;
}) => (
  <Dialog label="Search and commands" isOpen={isOpen} onClose={onClose}>
    <Finder {...rest} onClose={onClose} />
  </Dialog>
);

const Finder = ({
  stores,
  commands,
  place,
  onClose,
}: {
  stores: PageStores;
  commands: Commands;
  place: OpenPlace | null;
  onClose: () => void;
}) => {
  const [, navigate] = useLocation();
  const [query, setQuery] = useState("");
  /** Of which item the rest is shown. */
  const [of, setOf] = useState<PaletteItem | null>(null);
  const [copied, setCopied] = useState<string | null>(null);
  const all = useCatalogue(stores, commands, place);
  const search = useFileSearch(stores.client, place?.id ?? null, query);
  const groups = useMemo(() => {
    if (of !== null)
      return paletteGroups(
        [{ name: of.label, items: of.more, isFirst: true }],
        query,
      );
    const files =
      place === null ? null : { session: place.id, paths: search.paths };
    return paletteGroups(all, query, files);
  }, [all, of, query, place, search.paths]);
  const store = Ariakit.useComboboxStore({
    open: true,
    value: query,
    setValue: setQuery,
    includesBaseElement: false,
    focusLoop: false,
  });
  const activeId = Ariakit.useStoreState(store, "activeId");
  const items = groups.flatMap((group) => group.items);
  const active = items.find(({ item }) => idOf(item) === activeId)?.item;
  const enter = (item: PaletteItem | null) => {
    setOf(item);
    setQuery("");
  };
  const choose = ({ deed }: PaletteItem) => {
    if (deed.kind === "copy") {
      void copyText(deed.text).then((isCopied) => {
        if (isCopied) setCopied("Copied");
        // The text is shown in its place.
        else onClose();
      });
      return;
    }
    onClose();
    // What is chosen may move the focus: it is given back before.
    requestAnimationFrame(() => {
      switch (deed.kind) {
        case "command":
          return commands.run(deed.id);
        case "go":
          return navigate(deed.path);
        case "show_turn":
          return place?.showTurn(deed.turn);
        case "fork":
          return place?.fork(deed.turn);
        default:
          return unreachable(deed);
      }
    });
  };
  return (
    <>
      <div className={style.query}>
        <Icon name="search" />
        {of !== null && <span className={style.of}>{of.label}</span>}
        <Ariakit.Combobox
          store={store}
          autoSelect="always"
          className={style.input}
          aria-label="Search and commands"
          placeholder={of === null ? "Commands, sessions, turns, files" : ""}
          onKeyDown={(event) => {
            if (event.key === "Tab" && !event.shiftKey) {
              event.preventDefault();
              if (active !== undefined && active.more.length > 0) enter(active);
            }
            if (event.key === "Tab" && event.shiftKey) {
              event.preventDefault();
              enter(null);
            }
            if (event.key === "Backspace" && query === "") enter(null);
          }}
        />
        <Kbd>Esc</Kbd>
      </div>
      <Ariakit.ComboboxList
        store={store}
        alwaysVisible
        className={style.list}
        aria-label="What was found"
      >
        {groups.map(({ name, items, hidden }) => (
          <Ariakit.ComboboxGroup key={name}>
            <Ariakit.ComboboxGroupLabel className={style.group}>
              {name}
              {hidden > 0 && <span> {hidden} more</span>}
            </Ariakit.ComboboxGroupLabel>
            {items.map(({ item, ranges }) => (
              <Ariakit.ComboboxItem
                key={item.id}
                id={idOf(item)}
                store={store}
                className={style.item}
                focusOnHover
                hideOnClick={false}
                setValueOnClick={false}
                onClick={() => choose(item)}
              >
                <PaletteRow item={item} ranges={ranges} />
              </Ariakit.ComboboxItem>
            ))}
          </Ariakit.ComboboxGroup>
        ))}
      </Ariakit.ComboboxList>
      <div className={style.foot}>
        <span className={style.told} role="status">
          {copied ??
            (items.length > 0
              ? ""
              : search.isLooking
                ? "Looking for files"
                : "Nothing is called that")}
        </span>
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> choose
        </span>
        <span>
          <Kbd>Enter</Kbd> do it
        </span>
        <span data-pale={(active?.more.length ?? 0) === 0 || undefined}>
          <Kbd>Tab</Kbd> more
        </span>
      </div>
    </>
  );
};

const idOf = ({ id }: PaletteItem): string =>
  `palette-${encodeURIComponent(id)}`;

const EMPTY = { line: [] };
/** Where no session is open. */
const NO_LINE: OpenPlace["view"] = {
  get: () => EMPTY,
  subscribe: () => () => undefined,
};

/** Everything that can be found but files. What was not read yet is read now. */
const useCatalogue = (
  stores: PageStores,
  commands: Commands,
  place: OpenPlace | null,
): Catalogue[] => {
  const now = useNow();
  const { sessions, tasks } = useReadable(stores.sessions);
  const agents = useReadable(stores.agents);
  const line = useSelected(place?.view ?? NO_LINE, (view) => view.line);
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    setAsked(true);
    void stores.agents.load();
    void stores.sessions.loadAll().catch(() => undefined);
  }
  const ids = useReadable(commands);
  return useMemo(
    () =>
      catalogue({
        commands: ids,
        sessions,
        tasks,
        agents: agents.kind === "known" ? agents.agents : [],
        place: place === null ? null : { id: place.id, line },
        agentName: (agent) => stores.agents.name(agent),
        now,
      }),
    [ids, sessions, tasks, agents, place, line, stores, now],
  );
};

export default Palette;
