import { useEffect, useState } from "react";
import type { Session } from "../../../src/contract/session/session.ts";
import { Button, ButtonLink } from "../kit/button.tsx";
import { answersOf } from "../dock/permission-words.ts";
import { useNow } from "../kit/now.tsx";
import { quotaButtons } from "../words/quota-words.ts";
import { changesPath, sessionPath, workspacePath } from "../routes.ts";
import type { Attention } from "../store/attention.ts";
import { isAnswerable, isQuota, undecided } from "./ask-words.ts";
import type { HomeDeps } from "./home-deps.ts";
import style from "./home.module.css";

/** Buttons that have just appeared do nothing yet: nobody has read them. */
const INERT_MS = 500;

export const AskActions = ({
  attention,
  services,
}: {
  attention: Attention;
  services: HomeDeps;
}) => {
  const [isInert, setInert] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setInert(false), INERT_MS);
    return () => clearTimeout(timer);
  }, []);
  const run = (action: () => Promise<unknown>): void => {
    if (isInert || isBusy) return;
    setBusy(true);
    setFailure(null);
    act(services, attention.session, action)
      .catch((error: unknown) =>
        setFailure(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <div className={style.actions} aria-busy={isBusy}>
      <Buttons attention={attention} services={services} run={run} />
      {failure !== null && (
        <p className={style.failure} role="alert">
          {failure}
        </p>
      )}
    </div>
  );
};

/** Does something with a session, and shows it as it is then. */
const act = async (
  { client, sessions }: HomeDeps,
  { id }: Session,
  action: () => Promise<unknown>,
): Promise<void> => {
  try {
    await action();
  } finally {
    // Also a refusal means that it is not as it is shown: somebody else may have answered.
    const session = await client.showSession(id).catch(() => null);
    if (session !== null) sessions.put(session);
  }
};

const Buttons = ({
  attention: { session, reason },
  services: { client, seen },
  run,
}: {
  attention: Attention;
  services: HomeDeps;
  run: (action: () => Promise<unknown>) => void;
}) => {
  const now = useNow();
  switch (reason) {
    case "permission": {
      const [permission] = session.pending_permissions;
      if (permission === undefined || !isAnswerable(session))
        return (
          <ButtonLink size="small" href={sessionPath(session.id)}>
            Look at it
          </ButtonLink>
        );
      return answersOf(permission.options)
        .toReversed()
        .map(({ optionId, label, isPrimary }) => (
          <Button
            key={optionId}
            size="small"
            kind={isPrimary ? "primary" : "default"}
            onClick={() =>
              run(() =>
                client.answerPermission(session.id, permission.id, optionId),
              )
            }
          >
            {label}
          </Button>
        ));
    }
    case "uncertain":
    case "interrupted": {
      if (isQuota(session, now))
        return quotaButtons(session)
          .toReversed()
          .map(({ label, does }) => (
            <Button
              key={label}
              size="small"
              onClick={() =>
                run(() =>
                  does.kind === "resolve"
                    ? client.resolvePrompt(
                        session.id,
                        does.promptId,
                        does.action,
                      )
                    : client.resumeSession(session.id, { now: true }),
                )
              }
            >
              {label}
            </Button>
          ));
      const prompt = undecided(session);
      if (prompt === undefined) return null;
      return (["drop", "resend", "continue"] as const).map((action) => (
        <Button
          key={action}
          size="small"
          kind={
            action === "continue" && reason === "interrupted"
              ? "primary"
              : "default"
          }
          onClick={() =>
            run(() => client.resolvePrompt(session.id, prompt.id, action))
          }
        >
          {{ drop: "Drop", resend: "Resend", continue: "Continue" }[action]}
        </Button>
      ));
    }
    case "error":
      return (
        <>
          <ButtonLink
            size="small"
            kind="plain"
            href={workspacePath(session.id)}
          >
            Open workspace
          </ButtonLink>
          <Button
            size="small"
            onClick={() => run(() => client.resumeSession(session.id))}
          >
            Try again
          </Button>
        </>
      );
    case "budget":
      return (
        <ButtonLink size="small" href={sessionPath(session.id)}>
          Look at it
        </ButtonLink>
      );
    case "finished":
      return (
        <>
          <Button size="small" kind="plain" onClick={() => seen.mark(session)}>
            Mark seen
          </Button>
          <ButtonLink size="small" href={changesPath(session.id)}>
            Review changes
          </ButtonLink>
        </>
      );
  }
};
