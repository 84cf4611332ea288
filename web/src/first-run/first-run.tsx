import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../kit/button.tsx";
import type { HomeDeps } from "../home/home-deps.ts";
import { sessionPath } from "../routes.ts";
import { AgentsFound } from "./agents-found.tsx";
import { runDemo } from "./run-demo.ts";
import style from "./first-run.module.css";

/** What Home shows while there is nothing: an agent that dies and comes back, and the agents that are here. */
export const FirstRun = ({ services }: { services: HomeDeps }) => {
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const key = useRef<string>(undefined);
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      key.current ??= crypto.randomUUID();
      const session = await runDemo(services.client, key.current);
      navigate(sessionPath(session.id));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <div className={style.screen}>
      <h1>
        A session outlives everything
        <br /> that runs it.
      </h1>
      <p className={style.lead}>
        Nothing runs yet. Watch an agent die and come back with its memory, or
        start with an agent you have.
      </p>
      <section className={style.demo} aria-label="Try it">
        <DemoLine />
        <ol className={style.steps}>
          <li>
            <b>1 remember colour=teal</b>
            <p>“I will remember colour.”</p>
          </li>
          <li>
            <b className={style.bad}>2 crash</b>
            <p>The agent kills itself. This really happens.</p>
          </li>
          <li>
            <b>3 recall colour</b>
            <p>Does it know? The line says how it came back.</p>
          </li>
        </ol>
        <div className={style.go}>
          <Button
            kind="primary"
            icon="play"
            disabled={isBusy}
            onClick={() => void run()}
          >
            Run it
          </Button>
          <span>
            Twenty seconds, in a directory of its own. Needs no model and no
            login.
          </span>
        </div>
        {failure !== null && (
          <p className={style.failure} role="alert">
            {failure}
          </p>
        )}
      </section>
      <AgentsFound agents={services.agents} />
    </div>
  );
};

const DemoLine = () => (
  <svg
    className={style.line}
    viewBox="0 0 720 44"
    preserveAspectRatio="xMinYMid meet"
    aria-hidden="true"
  >
    <circle className={style.dot} cx="17" cy="22" r="8" />
    <path className={style.stroke} d="M17 22h238" />
    <path className={style.cut} d="M263 35l9-26M276 35l9-26" />
    <path className={style.later} d="M300 22h156M500 22h212" />
    <circle className={style.wait} cx="478" cy="22" r="8" />
  </svg>
);
