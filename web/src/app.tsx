import { Route, Router, Switch } from "wouter";
import { Frame } from "./frame/frame.tsx";
import { NotFound } from "./frame/not-found.tsx";
import { aroundNav, lazyScreen } from "./late/lazy-screen.tsx";
import { NowProvider } from "./kit/now.tsx";
import { routes } from "./routes.ts";
import type { PageStores } from "./start/page-stores.ts";

/** Screens are told apart by the first name of their addresses. */
const below =
  (route: string) =>
  (path: string): boolean =>
    path.split("/")[1] === route.split("/")[1];

// Who opens a session does not wait for Home, nor the other way round.
const Home = lazyScreen(
  below(routes.home),
  async () => (await import("./home/home.tsx")).Home,
);
// The conversation brings the parser of Markdown and the long list with it: Home needs neither.
const SessionPage = lazyScreen(
  below(routes.session),
  async () => (await import("./session/session-page.tsx")).SessionPage,
);
const Settings = lazyScreen(
  below(routes.settings),
  async () => (await import("./settings/settings.tsx")).Settings,
);
const NewSession = lazyScreen(
  below(routes.newSession),
  async () => (await import("./new/new-session.tsx")).NewSession,
);
const Tasks = lazyScreen(
  below(routes.tasks),
  async () => (await import("./task/tasks.tsx")).Tasks,
);
const RaceScreen = lazyScreen(
  below(routes.race),
  async () => (await import("./race/race-screen.tsx")).RaceScreen,
);
const AgentsScreen = lazyScreen(
  below(routes.agents),
  async () => (await import("./agents/agents-screen.tsx")).AgentsScreen,
);
const Trash = lazyScreen(
  below(routes.trash),
  async () => (await import("./trash/trash.tsx")).Trash,
);

/** A session and all below it. Names of files, which end the address, may hold ends of lines. */
const SESSION = /^\/s\/(?<id>[^/]+)(\/[^]*)?$/;

/** The screens by their addresses. */
export const App = ({ stores }: { stores: PageStores }) => (
  <Router aroundNav={aroundNav}>
    <NowProvider>
      <Frame stores={stores}>
        <Switch>
          <Route path={routes.home}>
            <Home services={stores} />
          </Route>
          <Route path={SESSION}>
            {({ id = "" }) => <SessionPage stores={stores} id={id} />}
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
      </Frame>
    </NowProvider>
  </Router>
);
