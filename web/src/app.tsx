import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { ByCommand } from "./frame/by-command.tsx";
import { Frame } from "./frame/frame.tsx";
import { NotFound } from "./frame/not-found.tsx";
import { Home } from "./home/home.tsx";
import { LoadingState } from "./kit/loading-state.tsx";
import { NowProvider } from "./kit/now.tsx";
import { routes } from "./routes.ts";
import type { PageStores } from "./start/page-stores.ts";

// The conversation brings the parser of Markdown and the long list with it: Home needs neither.
const SessionPage = lazy(async () => ({
  default: (await import("./session/session-page.tsx")).SessionPage,
}));
const Settings = lazy(async () => ({
  default: (await import("./settings/settings.tsx")).Settings,
}));

/** The screens by their addresses. */
export const App = ({ stores }: { stores: PageStores }) => (
  <NowProvider>
    <Frame stores={stores}>
      <Suspense fallback={<LoadingState />}>
        <Switch>
          <Route path={routes.home}>
            <Home services={stores} />
          </Route>
          <Route path="/s/:id/:tab?">
            {({ id, tab }) => <SessionPage stores={stores} id={id} tab={tab} />}
          </Route>
          <Route path={routes.newSession}>
            <ByCommand title="New session" command="reprise session start" />
          </Route>
          <Route path={routes.tasks}>
            <ByCommand title="Tasks" command="reprise task list" />
          </Route>
          <Route path={routes.agents}>
            <ByCommand title="Agents" command="reprise agents" />
          </Route>
          <Route path={routes.trash}>
            <ByCommand title="Trash" command="reprise session list --deleted" />
          </Route>
          <Route path={routes.settings}>
            <Settings version={stores.version} />
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  </NowProvider>
);
