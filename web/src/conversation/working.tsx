import style from "./working.module.css";

/** The agent is at it, and has said nothing that is still growing. */
export const Working = () => (
  <div className={style.working} aria-hidden="true">
    <i />
    <i />
    <i />
  </div>
);
