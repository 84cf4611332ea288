import { useEffect, useState } from "react";
import { TopBar } from "../frame/top-bar.tsx";
import { ButtonLink } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { routes } from "../routes.ts";
import type { SessionDoor } from "../store/session/session-door.ts";
import { SessionScreen } from "./session-screen.tsx";
import type { SessionDeps } from "./session-deps.ts";
import type { Shown } from "./shown.ts";

/** The session of an address: opened while somebody looks at it, and closed behind them. */
export const SessionRoute = (props: {
  id: string;
  services: SessionDeps;
  shown: Shown;
}) => {
  const { id, services } = props;
  const [door, setDoor] = useState<{ id: string; door: SessionDoor } | null>(
    null,
  );
  useEffect(() => {
    const opened = services.openSession(id);
    setDoor({ id, door: opened });
    return () => opened.close();
  }, [services, id]);
  return door?.id === id ? (
    <Opened {...props} door={door.door} />
  ) : (
    <LoadingState label="Opening the session" />
  );
};

const Opened = ({
  door,
  services,
  shown,
}: Parameters<typeof SessionRoute>[0] & { door: SessionDoor }) => {
  const opening = useReadable(door);
  switch (opening.kind) {
    case "loading":
      return <LoadingState label="Opening the session" />;
    case "failed":
      return (
        <>
          <TopBar title="Session" />
          {opening.isMissing ? (
            <EmptyState
              title="There is no such session"
              icon="question"
              actions={<ButtonLink href={routes.home}>Home</ButtonLink>}
            >
              {opening.text}
            </EmptyState>
          ) : (
            <ErrorState
              title="The session cannot be shown"
              retry={() => door.retry()}
            >
              {opening.text}
            </ErrorState>
          )}
        </>
      );
    case "open":
      return (
        <SessionScreen
          open={opening.session}
          services={services}
          shown={shown}
        />
      );
  }
};
