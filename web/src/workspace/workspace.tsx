import { EmptyState } from "../kit/empty-state.tsx";
import type { SessionDeps } from "../session/session-deps.ts";
import type { SessionView } from "../store/open-session.ts";
import { accessTo } from "./access.ts";
import { WorkspacePanel } from "./panel/workspace-panel.tsx";
import style from "./workspace.module.css";

/** The files of a session, its terminals and its processes; whether its agent runs or not. */
export const Workspace = ({
  view,
  services,
}: {
  view: SessionView;
  /** Of the file or directory that is shown. */
  path: string;
  services: SessionDeps;
}) => {
  const access = accessTo(view);
  if (access.kind === "closed")
    return (
      <div className={style.closed}>
        <EmptyState title={access.title} icon="clock">
          {access.text}
        </EmptyState>
      </div>
    );
  return (
    <div className={style.workspace}>
      <div className={style.main}>
        <div className={style.view} />
        <WorkspacePanel session={view.session} client={services.client} />
      </div>
    </div>
  );
};
