import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { noticeState, noticeWords } from "./notice-state.ts";
import style from "./settings.module.css";

/** The browser is asked by a click here, and never before. */
export const NoticesSection = () => {
  const [state, setState] = useState(() => noticeState(window));
  const [isTested, setTested] = useState(false);
  const ask = async (): Promise<void> => {
    await Notification.requestPermission();
    setState(noticeState(window));
  };
  const test = (): void => {
    const notice = new Notification("Reprise", {
      body: "Notices of this page look like this.",
      tag: "reprise.test",
    });
    notice.addEventListener("click", () => notice.close());
    setTested(true);
  };
  return (
    <section className={style.group} aria-labelledby="notices">
      <h2 id="notices">Notices</h2>
      <p>{noticeWords[state]}</p>
      {state === "default" && (
        <Button icon="bell" onClick={() => void ask()}>
          Allow notices
        </Button>
      )}
      {state === "granted" && (
        <Button icon="bell" onClick={test}>
          Show a test notice
        </Button>
      )}
      {isTested && (
        <p role="status">
          It was given to the browser. Where none appears, the system keeps
          notices of this browser back.
        </p>
      )}
    </section>
  );
};
