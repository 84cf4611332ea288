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
  return access.kind === "closed" ? (
    <div className={style.closed}>
      <EmptyState title={access.title} icon="clock">
        {access.text}
      </EmptyState>
    </div>
  ) : (
    <OpenWorkspace
      key={view.session.id}
      view={view}
      path={path}
      services={services}
    />
  );
};
