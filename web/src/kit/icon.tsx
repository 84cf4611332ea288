import { type IconName, iconPaths } from "./icon-paths.ts";
import style from "./icon.module.css";

/** Decoration beside words; where it stands alone, its button has the name. */
export const Icon = ({
  name,
  size = 16,
}: {
  name: IconName;
  size?: 14 | 16 | 20;
}) => (
  <svg
    className={style.icon}
    width={size}
    height={size}
    viewBox="0 0 16 16"
    aria-hidden="true"
  >
    <path d={iconPaths[name]} />
  </svg>
);
