import { type KeyboardEvent, type Ref, useId, useState } from "react";
import type { Client } from "../../../src/client/client.ts";
import { Icon } from "../kit/icon.tsx";
import { Offers } from "../kit/offers.tsx";
import { VisuallyHidden } from "../kit/visually-hidden.tsx";
import { counted } from "../words/counts.ts";
import { type DirectoryOffer, directoryOffers } from "./directory-offers.ts";
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
  const { found, refusal } = useDirectories(
    client,
    isOpen ? wholePath(value, userHome) : null,
  );
  const offers = isOpen ? directoryOffers(value, recent, found, userHome) : [];
  const at = chosen === null || chosen >= offers.length ? null : chosen;
  const type = (path: string): void => {
    onChange(path);
    setOpen(true);
    setChosen(null);
  };
  const takeAt = (index: number): void => {
    const offer = offers[index];
    if (offer === undefined) return;
    type(offer.path);
    if (offer.isRecent) setOpen(false);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      const from = at ?? (step === 1 ? -1 : 0);
      if (!isOpen) setOpen(true);
      else if (offers.length > 0)
        setChosen((from + step + offers.length) % offers.length);
    } else if (key === "Enter" && at !== null) takeAt(at);
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
        label="Directories"
        icon="folder"
        paths={offers.map(({ path }) => path)}
        chosen={at}
        className={style.offers}
        onChoose={setChosen}
        onTake={takeAt}
      >
        {(path, index) => (
          <>
            <span className={style.path}>{path}</span>
            {offers[index]?.isRecent && (
              <span className={style.recent}>recent</span>
            )}
          </>
        )}
      </Offers>
      <VisuallyHidden>
        <span role="status">{isOpen ? noteOf(offers, refusal) : ""}</span>
      </VisuallyHidden>
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
