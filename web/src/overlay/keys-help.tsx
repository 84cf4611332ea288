import { IconButton } from "../kit/icon-button.tsx";
import { Dialog } from "./dialog.tsx";
import { helpSections } from "./help-sections.ts";
import { isMac } from "./is-mac.ts";
import { KeyCaps } from "./key-caps.tsx";
import style from "./keys-help.module.css";

/** All keys, from the table that they are handled by. */
const KeysHelp = ({
  isOpen,
  onClose,
}: {
  isOpen: boolean;
  onClose: () => void;
}) => (
  <Dialog label="All keys" isOpen={isOpen} onClose={onClose}>
    <header className={style.head}>
      <h2>All keys</h2>
      <IconButton icon="x" label="Close" onClick={onClose} />
    </header>
    <div className={style.body} tabIndex={0} role="group" aria-label="Keys">
      {helpSections().map(({ name, rows }) => (
        <section key={name} aria-label={name}>
          <h3>{name}</h3>
          <dl>
            {rows.map(({ label, keys }) => (
              <div key={label} className={style.row}>
                <dt>{label}</dt>
                <dd>
                  <KeyCaps keys={keys} isMac={isMac(navigator)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={style.note}>
        Keys do nothing while you write. Esc leaves a field.
      </p>
    </div>
  </Dialog>
);

export default KeysHelp;
