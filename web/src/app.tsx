import { Route, Switch } from "wouter";
import { routes } from "./routes.ts";

/** The screens by their addresses. */
export const App = () => (
  <Switch>
    <Route path={routes.home}>Home</Route>
  </Switch>
);
