import * as Ariakit from "@ariakit/react";
import { useState } from "react";
import type { Session } from "../../../src/contract/session/session.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Answers, Question } from "../overlay/question.tsx";
import { refusalWords } from "../words/refusal-words.ts";
import style from "./session-menu.module.css";

export interface MenuActions {
  fork: () => Promise<void>;
  /** As a file. */
  exportFile: () => Promise<void>;
  agents: () => Promise<readonly { id: string; name: string }[]>;
  handOff: (agent: string) => Promise<void>;
  end: () => Promise<void>;
  remove: () => Promise<void>;
}

type Asking = "hand_off" | "end" | "delete";

const questions = {
  hand_off: {
    title: "Hand off to another agent",
    text: "The other agent goes on in the same workspace. It is given the conversation so far as text.",
    yes: "Hand off",
  },
  end: {
    title: "End this session?",
    text: "Its agent is stopped. Everything can still be read, and gone on from as a fork.",
    yes: "End session",
  },
  delete: {
    title: "Delete this session?",
    text: "It goes into the trash with its checkpoints, and can be taken out again until the trash is emptied.",
    yes: "Delete",
  },
} as const;

/** What is done with a whole session. It is open as soon as it is there. */
const SessionMenu = ({
  session,
  actions,
  onPause,
}: {
  session: Session;
  actions: MenuActions;
  onPause: (() => void) | null;
}) => {
  const [asking, setAsking] = useState<Asking | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const run = (work: () => Promise<void>) => {
    setRefusal(null);
    work().then(
      () => setAsking(null),
      (error: unknown) => setRefusal(refusalWords(error)),
    );
  };
  const isOver = session.status === "ended" || session.deleted_at !== null;
  return (
    <>
      <Ariakit.MenuProvider defaultOpen placement="bottom-end">
        <Ariakit.MenuButton render={<IconButton icon="more" label="More" />} />
        <Ariakit.Menu className={style.menu} gutter={4} portal unmountOnHide>
          {onPause !== null && (
            <Item icon="pause" onClick={onPause}>
              Pause
            </Item>
          )}
          <Item icon="fork" onClick={() => run(actions.fork)}>
            Fork
          </Item>
          {!isOver && (
            <Item icon="handoff" onClick={() => setAsking("hand_off")}>
              Hand off…
            </Item>
          )}
          <Item icon="disk" onClick={() => run(actions.exportFile)}>
            Export
          </Item>
          <Ariakit.MenuSeparator className={style.rule} />
          {!isOver && (
            <Item icon="check" onClick={() => setAsking("end")}>
              End…
            </Item>
          )}
          {session.deleted_at === null && (
            <Item icon="trash" onClick={() => setAsking("delete")}>
              Delete…
            </Item>
          )}
        </Ariakit.Menu>
      </Ariakit.MenuProvider>
      <Question
        title={asking === null ? "It was not done" : questions[asking].title}
        isOpen={asking !== null || refusal !== null}
        onClose={() => {
          setAsking(null);
          setRefusal(null);
        }}
      >
        {asking !== null && <p>{questions[asking].text}</p>}
        {refusal !== null && <p role="alert">{refusal}</p>}
        {asking === "hand_off" ? (
          <Agents
            actions={actions}
            except={session.agent}
            onFail={(error) => setRefusal(refusalWords(error))}
            onChoose={(agent) => run(() => actions.handOff(agent))}
          />
        ) : (
          <Answers>
            {asking !== null && (
              <Button
                kind={asking === "delete" ? "danger" : "primary"}
                onClick={() =>
                  run(asking === "end" ? actions.end : actions.remove)
                }
              >
                {questions[asking].yes}
              </Button>
            )}
          </Answers>
        )}
      </Question>
    </>
  );
};

const Item = ({
  icon,
  onClick,
  children,
}: {
  icon: Parameters<typeof Icon>[0]["name"];
  onClick: () => void;
  children: string;
}) => (
  <Ariakit.MenuItem className={style.item} onClick={onClick}>
    <Icon name={icon} size={14} />
    {children}
  </Ariakit.MenuItem>
);

/** The agents that can take over. */
const Agents = ({
  actions,
  except,
  onFail,
  onChoose,
}: {
  actions: MenuActions;
  except: string;
  onFail: (error: unknown) => void;
  onChoose: (agent: string) => void;
}) => {
  const [agents, setAgents] = useState<
    readonly { id: string; name: string }[] | null
  >(null);
  const [asked, setAsked] = useState(false);
  if (!asked) {
    setAsked(true);
    void actions.agents().then(setAgents, onFail);
  }
  const others = agents?.filter(({ id }) => id !== except) ?? [];
  return (
    <div className={style.agents}>
      {agents !== null && others.length === 0 && (
        <p>No other agent is installed.</p>
      )}
      {others.map(({ id, name }) => (
        <Button key={id} icon="agent" onClick={() => onChoose(id)}>
          {name}
        </Button>
      ))}
      <Ariakit.DialogDismiss render={<Button kind="plain">Cancel</Button>} />
    </div>
  );
};

export default SessionMenu;
