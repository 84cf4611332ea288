import {
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import type { ContentBlock } from "../../../src/contract/base/content.ts";
import type { Permission as Asked } from "../../../src/contract/agent/permission.ts";
import type { Prompt } from "../../../src/contract/session/prompt.ts";
import { latePart } from "../late/late.tsx";
import type { Standing, StandingAction } from "../words/standing.ts";
import { Band } from "./band.tsx";
import type { ClosedQuestion as Closed } from "../store/session/questions.ts";
import { Choice } from "./choice.tsx";
import type { Choosable } from "./choices.ts";
import { Permission } from "./permission.tsx";
import {
  type DraftShelf,
  PromptBox,
  type PromptBoxHandle,
} from "./prompt-box.tsx";
import type { Workspace } from "./use-mention.ts";
import style from "./dock.module.css";

// Loaded when a question was closed.
const ClosedQuestion = latePart({
  name: "How the question was closed",
  load: async () => (await import("./closed-question.tsx")).ClosedQuestion,
});
// Loaded when a prompt waits.
const Queue = latePart({
  name: "The list of prompts that wait",
  load: async () => (await import("./queue.tsx")).Queue,
});

export interface DockHandle {
  focusPrompt(): void;
  /** Moves the focus to the question, where there is one. */
  focusPermission(): void;
}

/** From below: the prompt box, the queue, and where the session stands or what its agent asks. */
export const Dock = ({
  standing,
  permissions,
  closedQuestion,
  queue,
  agentName,
  cwd,
  draft,
  workspace,
  choices,
  isRunning,
  actions,
  ref,
}: {
  standing: Standing;
  permissions: readonly Asked[];
  closedQuestion: Closed | null;
  queue: readonly Prompt[];
  agentName: string;
  cwd: string;
  draft: DraftShelf;
  workspace: Workspace;
  choices: readonly Choosable[];
  isRunning: boolean;
  actions: {
    send: (content: readonly ContentBlock[], key: string) => Promise<unknown>;
    permit: (requestId: string, optionId: string) => Promise<void>;
    forgetQuestion: () => void;
    cancelPrompt: (id: string) => Promise<void>;
    cancelTurn: () => Promise<void>;
    choose: (what: "model" | "mode", value: string) => Promise<void>;
    act: (action: StandingAction) => Promise<void>;
  };
  ref?: Ref<DockHandle>;
}) => {
  const box = useRef<PromptBoxHandle>(null);
  const card = useRef<HTMLElement>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  useImperativeHandle(ref, () => ({
    focusPrompt: () => box.current?.focus(),
    focusPermission: () => card.current?.focus(),
  }));
  // A question that went with the focus gives it back to the prompt box, so that keys do not fall into nothing.
  const asked = permissions.find(({ state }) => state === "pending");
  const had = useRef(false);
  useEffect(() => {
    const { current: element } = card;
    return () => {
      had.current = element?.contains(document.activeElement) ?? false;
    };
  }, [asked?.id]);
  useEffect(() => {
    if (!had.current || asked !== undefined) return;
    had.current = false;
    box.current?.focus();
  }, [asked]);

  const cancel = (prompt: Prompt) => {
    setRefusal(null);
    return actions.cancelPrompt(prompt.id).catch((error: unknown) => {
      setRefusal(
        error instanceof Error ? error.message : "It was not cancelled.",
      );
      throw error;
    });
  };
  return (
    <div className={style.dock}>
      <div className={style.column}>
        {closedQuestion !== null && (
          <ClosedQuestion
            closed={closedQuestion}
            agentName={agentName}
            onForget={actions.forgetQuestion}
          />
        )}
        {asked === undefined ? (
          // What was refused belongs to the row whose button was pressed.
          <Band
            key={standing.kind}
            standing={standing}
            onAction={actions.act}
          />
        ) : (
          <Permission
            key={asked.id}
            ref={card}
            permission={asked}
            others={permissions.length - 1}
            agentName={agentName}
            cwd={cwd}
            onAnswer={(optionId) => actions.permit(asked.id, optionId)}
          />
        )}
        {refusal !== null && (
          <p className={style.refusal} role="alert">
            {refusal}
          </p>
        )}
        <div>
          {queue.length > 0 && (
            <Queue
              prompts={queue}
              onCancel={(prompt) => void cancel(prompt).catch(() => undefined)}
              onEdit={(prompt) =>
                void cancel(prompt).then(
                  () => box.current?.refill(prompt.text),
                  () => undefined,
                )
              }
            />
          )}
          <PromptBox
            ref={box}
            box={standing.box}
            draft={draft}
            workspace={workspace}
            isBelowQueue={queue.length > 0}
            onSend={actions.send}
            onCancelTurn={
              isRunning
                ? () =>
                    void actions
                      .cancelTurn()
                      .catch((error: unknown) =>
                        setRefusal(
                          error instanceof Error
                            ? error.message
                            : "It goes on.",
                        ),
                      )
                : null
            }
            choices={choices.map((choosable) => (
              <Choice
                key={choosable.what}
                choosable={choosable}
                onChoose={(value) => actions.choose(choosable.what, value)}
              />
            ))}
          />
        </div>
      </div>
    </div>
  );
};
