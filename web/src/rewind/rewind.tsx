import { useState } from "react";
import { useLocation } from "wouter";
import { RepriseError } from "../../../src/contract/problem/problem.ts";
import type { RewindPlan } from "../../../src/contract/session/checkpoint.ts";
import type { Client } from "../../../src/client/client.ts";
import { refusalWords } from "../words/refusal-words.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { rewindPath, sessionPath } from "../routes.ts";
import { LineColumn } from "../session/line-column.tsx";
import { isNarrowDesk } from "../session/narrow-desk.ts";
import type { OpenSession, SessionView } from "../store/open-session.ts";
import { knotRefusals } from "../words/knot-refusals.ts";
import { Conflicts, Personal } from "./in-the-way.tsx";
import { PathList } from "./path-list.tsx";
import { PlanFiles } from "./plan-files.tsx";
import { type Fact, personalWork, rewindFacts } from "./rewind-facts.ts";
import { usePlan } from "./use-plan.ts";
import style from "./rewind.module.css";

interface Preview {
  plan: RewindPlan | null;
  line: SessionView["line"];
  /** The line as it would be. */
  after: SessionView["line"] | null;
}

/** What a rewind would do, before it is done: the line, the files, the turns and the memory as they would be. */
export const Rewind = ({
  open,
  view,
  turn,
  agentName,
  client,
}: {
  open: OpenSession;
  view: SessionView;
  turn: number;
  agentName: string;
  client: Pick<Client, "showDiff">;
}) => {
  const [, navigate] = useLocation();
  const [isFolded, setFolded] = useState(isNarrowDesk);
  /** What stood there when it was begun: it stays until it is done. */
  const [held, setHeld] = useState<Preview | null>(null);
  const isBusy = held !== null;
  const [refusal, setRefusal] = useState<string | null>(null);
  const { session } = view;
  const { asked, again } = usePlan(
    open,
    turn,
    `${session.state} ${session.turn_count} ${session.checkpoint?.id ?? ""}`,
    isBusy,
  );
  const planned = asked.kind === "planned" ? asked.plan : null;
  const fresh: Preview = {
    plan: planned,
    line: view.line,
    after: planned === null ? null : open.lineAfter(planned),
  };
  const { plan, line, after } = held ?? fresh;
  const run = (work: () => Promise<void>): void => {
    setHeld(fresh);
    setRefusal(null);
    work()
      .catch((error: unknown) => {
        setRefusal(refusalWords(error));
        // What stands in the way came since: it is shown.
        if (error instanceof RepriseError) again();
      })
      .finally(() => setHeld(null));
  };
  const rewind = (edits: "undo" | "keep" | "refuse"): void =>
    run(async () => {
      await open.rewind({ turn, edits });
      navigate(sessionPath(open.id));
    });
  const fork = (): void =>
    run(async () => {
      const { id } = await open.fork({ turn });
      navigate(sessionPath(id));
    });
  return (
    <>
      <LineColumn
        sessionId={open.id}
        marks={after ?? line}
        inView={null}
        isFolded={isFolded}
        onFold={setFolded}
        onTurn={(turn) => navigate(rewindPath(open.id, turn))}
        onFork={(turn) =>
          run(async () => {
            const { id } = await open.fork({ turn });
            navigate(sessionPath(id));
          })
        }
        preview={{
          title: after === null ? "The line" : "The line, as it would be",
          target: turn,
          next: after === null ? null : nextTurn(line),
        }}
      />
      <section className={style.rewind} aria-label={`Rewind to turn ${turn}`}>
        <div className={style.head}>
          <h2>Rewind to turn {turn}</h2>
          {asked.kind === "loading" && (
            <LoadingState label="Looking at what would change" />
          )}
          {asked.kind === "refused" && (
            <p role="alert" className={style.refusal}>
              {asked.text}
            </p>
          )}
          {plan !== null && (
            <Facts
              facts={rewindFacts({
                plan,
                before: line,
                after: after ?? line,
                agentName,
              })}
            />
          )}
          {refusal !== null && (
            <p role="alert" className={style.refusal}>
              {refusal}
            </p>
          )}
          <Acts
            plan={plan}
            turn={turn}
            view={view}
            isBusy={isBusy}
            onRewind={rewind}
            onFork={fork}
          />
        </div>
        {plan !== null && plan.changes.length > 0 && (
          <PlanFiles session={open.id} plan={plan} client={client} />
        )}
      </section>
    </>
  );
};

const nextTurn = (line: SessionView["line"]): number =>
  (line.findLast((mark) => mark.kind === "turn")?.turn ?? 0) + 1;

const Facts = ({ facts }: { facts: Record<string, Fact> }) => (
  <dl className={style.facts}>
    {Object.entries(facts).map(([name, { title, text }]) => (
      <div key={name}>
        <dt>{title}</dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);

/** The buttons, or what stands in their place. */
const Acts = ({
  plan,
  turn,
  view: { session, line, isComingBack },
  isBusy,
  onRewind,
  onFork,
}: {
  plan: RewindPlan | null;
  turn: number;
  view: SessionView;
  isBusy: boolean;
  onRewind: (edits: "undo" | "keep" | "refuse") => void;
  onFork: () => void;
}) => {
  const personal =
    plan === null ? null : personalWork(plan, session.worktree_path !== null);
  const hasConflicts = plan !== null && plan.conflicts.length > 0;
  const turns = line.filter((mark) => mark.kind === "turn");
  const running = turns.findLast(
    ({ outcome }) => outcome === "running" || outcome === "asks",
  );
  const target = turns.find((mark) => mark.turn === turn);
  const reason =
    (target === undefined
      ? null
      : knotRefusals(target, running?.turn ?? null).rewind) ??
    (isComingBack ? "Rewind when the agent is back." : null);
  const isOff = isBusy || plan === null || reason !== null;
  const leftAlone = plan?.left_alone ?? [];
  return (
    <>
      {leftAlone.length > 0 && (
        <section aria-label="Left as they are">
          <p>These are not the workspace’s any more, and stay as they are:</p>
          <PathList
            label="Paths that stay as they are"
            changes={leftAlone.map(({ path }) => ({ path, kind: "modified" }))}
          />
        </section>
      )}
      {hasConflicts && <Conflicts plan={plan} />}
      {!hasConflicts && personal !== null && <Personal work={personal} />}
      <div className={style.acts}>
        {!hasConflicts &&
          (personal === null ? (
            <Button
              kind="primary"
              icon="rewind"
              disabled={isOff}
              onClick={() => onRewind("refuse")}
            >
              {isBusy ? "Rewinding" : `Rewind to turn ${turn}`}
            </Button>
          ) : (
            <>
              <Button
                kind="primary"
                icon="rewind"
                disabled={isOff}
                onClick={() => onRewind("keep")}
              >
                Rewind, and leave that as it is
              </Button>
              <Button
                kind="danger"
                disabled={isOff}
                onClick={() => onRewind("undo")}
              >
                Rewind, and undo that too
              </Button>
            </>
          ))}
        <Button icon="fork" disabled={isBusy} onClick={onFork}>
          Fork from turn {turn} instead
        </Button>
        <ButtonLink kind="plain" href={sessionPath(session.id)}>
          Cancel
        </ButtonLink>
        <span className={style.promise}>
          {reason ??
            (hasConflicts || plan === null
              ? null
              : "What is there now is captured first, so this can be undone.")}
        </span>
      </div>
    </>
  );
};
