import { useId } from "react";
import style from "./fields.module.css";

/** A line to type, with what was offered before. */
export const Typed = ({
  name,
  value,
  placeholder,
  offered = [],
  onChange,
}: {
  name: string;
  value: string;
  placeholder: string;
  offered?: readonly { id: string; name: string }[];
  onChange: (value: string) => void;
}) => {
  const id = useId();
  return (
    <div className={style.field}>
      <label htmlFor={id}>{name}</label>
      <div className={style.input}>
        <input
          id={id}
          list={`${id}-offered`}
          value={value}
          placeholder={placeholder}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      <datalist id={`${id}-offered`}>
        {offered.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </datalist>
    </div>
  );
};
