import { Icon } from "../../kit/icon.tsx";
import type { SearchForm } from "./search-groups.ts";
import style from "./search.module.css";

export const SearchFields = ({
  form,
  onChange,
}: {
  form: SearchForm;
  onChange: (form: SearchForm) => void;
}) => (
  <search className={style.fields}>
    <label className={style.field}>
      <Icon name="search" size={14} />
      <input
        type="search"
        placeholder="Search in files"
        aria-label="Search in files"
        autoComplete="off"
        spellCheck={false}
        value={form.text}
        onChange={({ target }) => onChange({ ...form, text: target.value })}
      />
    </label>
    <input
      className={style.glob}
      type="text"
      placeholder="Only files like *.ts, !dist/**"
      aria-label="Only files that fit these globs"
      autoComplete="off"
      spellCheck={false}
      value={form.glob}
      onChange={({ target }) => onChange({ ...form, glob: target.value })}
    />
    <div className={style.switches}>
      <Switch
        name="Match case"
        isOn={form.isCaseSensitive}
        onTurn={(isCaseSensitive) => onChange({ ...form, isCaseSensitive })}
      />
      <Switch
        name="Regex"
        isOn={form.isRegex}
        onTurn={(isRegex) => onChange({ ...form, isRegex })}
      />
      <Switch
        name="Everywhere"
        isOn={form.all}
        onTurn={(all) => onChange({ ...form, all })}
      />
    </div>
  </search>
);

const Switch = ({
  name,
  isOn,
  onTurn,
}: {
  name: string;
  isOn: boolean;
  onTurn: (isOn: boolean) => void;
}) => (
  <button
    type="button"
    className={style.switch}
    aria-pressed={isOn}
    onClick={() => onTurn(!isOn)}
  >
    {name}
  </button>
);
