import { useState } from "react";
import { EmptyState } from "../kit/empty-state.tsx";
import type { SessionDeps } from "../session/session-deps.ts";
import type { SessionView } from "../store/open-session.ts";
import { accessTo } from "./access.ts";
import { OpenWorkspace } from "./open-workspace.tsx";
import style from "./workspace.module.css";

/** The files of a session, its terminals and its processes; whether its agent runs or not. */
export const Workspace = ({
  view,
  path,
  services,
}: {
  view: SessionView;
  /** Of the file or directory that is shown. */
  path: string;
  services: SessionDeps;
}) => {
  const access = accessTo(view);
  const { id } = view.session;
  const [seen, setSeen] = useState<string | null>(null);
  if (access.kind === "open" && seen !== id) setSeen(id);
  // A file or a terminal that somebody looks at is not taken away because agentctl starts again.
  const isClosed = access.kind === "closed" && !(access.isShort && seen === id);
  return isClosed ? (
    <div className={style.closed}>
      <EmptyState title={access.title} icon="clock">
        {access.text}
      </EmptyState>
    </div>
  ) : (
    <div className={style.frame}>
      <p className={style.waits} role="status">
        {access.kind === "closed" && `${access.title}. ${access.text}`}
      </p>
      <OpenWorkspace key={id} view={view} path={path} services={services} />
    </div>
  );
};
