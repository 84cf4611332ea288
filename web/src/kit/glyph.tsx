import style from "./glyph.module.css";

export type GlyphState =
  | "needs_you"
  | "working"
  | "starting"
  | "finished"
  | "resting"
  | "paused"
  | "interrupted"
  | "failed"
  | "ended";

/**
 * The state of a session as a shape: diamond, dot with a halo, turning ring, dot, ring, two bars, half a dot, cross,
 * check. Beside its word it is decoration; alone it has a `label`.
 */
export const Glyph = ({
  state,
  label,
}: {
  state: GlyphState;
  label?: string;
}) => (
  <span
    className={style.glyph}
    data-state={state}
    {...(label === undefined
      ? { "aria-hidden": true }
      : { role: "img", "aria-label": label, title: label })}
  />
);
