import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Frame } from "./frame/frame.tsx";
import { NotFound } from "./frame/not-found.tsx";
import { lazyScreen } from "./kit/lazy-screen.tsx";
import { LoadingState } from "./kit/loading-state.tsx";
import { NowProvider } from "./kit/now.tsx";
import { routes } from "./routes.ts";
import type { PageStores } from "./start/page-stores.ts";

// Who opens a session does not wait for Home, nor the other way round.
const { Screen: Home, fetch: fetchHome } = lazyScreen(
  async () => (await import("./home/home.tsx")).Home,
);
// The conversation brings the parser of Markdown and the long list with it: Home needs neither.
const { Screen: SessionPage, fetch: fetchSession } = lazyScreen(
  async () => (await import("./session/session-page.tsx")).SessionPage,
);
const Settings = lazy(async () => ({
  default: (await import("./settings/settings.tsx")).Settings,
}));

const NewSession = lazy(async () => ({
  default: (await import("./new/new-session.tsx")).NewSession,
}));
const Tasks = lazy(async () => ({
  default: (await import("./task/tasks.tsx")).Tasks,
}));
const RaceScreen = lazy(async () => ({
  default: (await import("./race/race-screen.tsx")).RaceScreen,
}));
const AgentsScreen = lazy(async () => ({
  default: (await import("./agents/agents-screen.tsx")).AgentsScreen,
}));
const Trash = lazy(async () => ({
  default: (await import("./trash/trash.tsx")).Trash,
}));

/** Loads the screen that people begin with, so that it is there when the page is rendered first. */
export const fetchFirstScreen = async (path: string): Promise<void> => {
  try {
    if (path === routes.home) await fetchHome();
    else if (path.startsWith("/s/")) await fetchSession();
  } catch {
    // It is asked for again when it is rendered, and what went wrong is told there.
  }
};

/** The screens by their addresses. */
export const App = ({ stores }: { stores: PageStores }) => (
  <NowProvider>
    <Frame stores={stores}>
      <Suspense fallback={<LoadingState />}>
        <Switch>
          <Route path={routes.home}>
            <Home services={stores} />
          </Route>
          <Route path="/s/:id/*?">
            {({ id }) => <SessionPage stores={stores} id={id} />}
          </Route>
          <Route path={routes.newSession}>
            <NewSession stores={stores} />
          </Route>
          <Route path={routes.tasks}>
            {({ id }) => <Tasks stores={stores} id={id} />}
          </Route>
          <Route path={routes.race}>
            {({ name }) => <RaceScreen stores={stores} name={name} />}
          </Route>
          <Route path={routes.agents}>
            <AgentsScreen stores={stores} />
          </Route>
          <Route path={routes.trash}>
            <Trash stores={stores} />
          </Route>
          <Route path={routes.settings}>
            <Settings stores={stores} />
          </Route>
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Frame>
  </NowProvider>
);
