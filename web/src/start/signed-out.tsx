import { Logo } from "../kit/logo.tsx";
import type { Start } from "./start.ts";
import style from "./signed-out.module.css";

type Why = Extract<Start, { kind: "signed_out" }>["why"];

const reasons: Record<Why, string | null> = {
  no_token: null,
  wrong_token:
    "The link is not one of this server. It may be of another home, or older than the token.",
  unreachable: "The server did not answer.",
};

/** How to get in. It tells nothing of the home. */
export const SignedOut = ({ why }: { why: Why }) => (
  <main className={style.screen}>
    <span className={style.logo}>
      <Logo size={36} />
    </span>
    <h1>Reprise</h1>
    {reasons[why] !== null && <p role="alert">{reasons[why]}</p>}
    <p>
      Open the link that <code>reprise up</code> printed, or run{" "}
      <code>reprise open</code>.
    </p>
  </main>
);
