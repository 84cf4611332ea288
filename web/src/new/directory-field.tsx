import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Client } from "../../../src/client/client.ts";
import { Icon } from "../kit/icon.tsx";
import { VisuallyHidden } from "../kit/visually-hidden.tsx";
import { counted } from "../words/counts.ts";
import {
  type DirectoryOffer,
  directoryOffers,
  stillFitting,
} from "./directory-offers.ts";
import { wholePath } from "./form.ts";
import { useDirectories } from "./use-directories.ts";
import fields from "./fields.module.css";
import style from "./directory-field.module.css";

/** A path that is typed, with the directories that it may become. The focus stays in the field, which names the chosen one. */
export const DirectoryField = ({
  inputId,
  value,
  recent,
  client,
  userHome,
  faultId,
  onChange,
  ref,
}: {
  inputId: string;
  value: string;
  recent: readonly string[];
  client: Pick<Client, "listDirectories">;
  userHome: string | null;
  /** What says why the path was refused; null where it was not. */
  faultId: string | null;
  onChange: (path: string) => void;
  ref: Ref<HTMLInputElement>;
}) => {
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const path = isOpen ? wholePath(value, userHome) : null;
  const { found, refusal } = useDirectories(client, path);
  const offers = isOpen
    ? directoryOffers(value, recent, stillFitting(found, path))
    : [];
  const at = chosen === null || chosen >= offers.length ? null : chosen;
  const type = (path: string): void => {
    onChange(path);
    setOpen(true);
    setChosen(null);
  };
  const take = ({ path, isRecent }: DirectoryOffer): void => {
    type(path);
    if (isRecent) setOpen(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    const offer = at === null ? undefined : offers[at];
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      const from = at ?? (step === 1 ? -1 : 0);
      if (!isOpen) setOpen(true);
      else if (offers.length > 0)
        setChosen((from + step + offers.length) % offers.length);
    } else if (key === "Enter" && offer !== undefined) take(offer);
    else if (key === "Escape" && isOpen) {
      setOpen(false);
      event.stopPropagation();
    } else return;
    event.preventDefault();
  };
  return (
    <div className={style.field}>
      <div className={fields.input}>
        <Icon name="folder" size={14} />
        <input
          ref={ref}
          id={inputId}
          className={fields.path}
          value={value}
          placeholder="An empty directory of its own"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={offers.length > 0}
          aria-controls={listId}
          aria-activedescendant={at === null ? undefined : `${listId}-${at}`}
          aria-invalid={faultId !== null}
          aria-describedby={faultId ?? undefined}
          onChange={({ target }) => type(target.value)}
          onKeyDown={press}
          onBlur={() => setOpen(false)}
        />
      </div>
      <Offers
        id={listId}
        offers={offers}
        chosen={at}
        onChoose={setChosen}
        onTake={take}
      />
      <VisuallyHidden>
        <span role="status">{isOpen ? noteOf(offers, refusal) : ""}</span>
      </VisuallyHidden>
    </div>
  );
};

const Offers = ({
  id,
  offers,
  chosen,
  onChoose,
  onTake,
}: {
  id: string;
  offers: readonly DirectoryOffer[];
  chosen: number | null;
  onChoose: (index: number) => void;
  onTake: (offer: DirectoryOffer) => void;
}) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Directories"
      className={style.offers}
      hidden={offers.length === 0}
    >
      {offers.map((offer, i) => (
        <div
          key={offer.path}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === chosen}
          className={style.offer}
          onPointerMove={() => onChoose(i)}
          onPointerDown={(event) => {
            // The field keeps the focus.
            event.preventDefault();
            onTake(offer);
          }}
        >
          <Icon name="folder" size={14} />
          <span className={style.path}>{offer.path}</span>
          {offer.isRecent && <span className={style.recent}>recent</span>}
        </div>
      ))}
    </div>
  );
};

const noteOf = (
  offers: readonly DirectoryOffer[],
  refusal: string | null,
): string => {
  if (offers.length > 0)
    return `${counted(offers.length, "directory", "directories")}: arrows choose, Enter takes`;
  return refusal ?? "No directory begins so";
};
