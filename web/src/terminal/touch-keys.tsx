import style from "./touch-keys.module.css";

const keys = [
  { name: "Esc", label: "Escape", keys: "\x1b" },
  { name: "Tab", label: "Tab", keys: "\t" },
  { name: "^C", label: "Control C", keys: "\x03" },
  { name: "^D", label: "Control D", keys: "\x04" },
] as const;

const arrows = [
  { name: "↑", label: "Up", letter: "A" },
  { name: "↓", label: "Down", letter: "B" },
  { name: "←", label: "Left", letter: "D" },
  { name: "→", label: "Right", letter: "C" },
] as const;

/** Keys that the keyboard of a phone does not have. */
export const TouchKeys = ({
  onPress,
  onArrow,
}: {
  onPress: (keys: string) => void;
  onArrow: (letter: "A" | "B" | "C" | "D") => void;
}) => (
  <div className={style.keys} role="group" aria-label="Keys">
    {keys.map(({ name, label, keys: pressed }) => (
      <button
        key={name}
        type="button"
        aria-label={label}
        onClick={() => onPress(pressed)}
      >
        {name}
      </button>
    ))}
    {arrows.map(({ name, label, letter }) => (
      <button
        key={name}
        type="button"
        aria-label={label}
        onClick={() => onArrow(letter)}
      >
        {name}
      </button>
    ))}
  </div>
);
