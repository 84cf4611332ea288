import { useState } from "react";
import { NotFound } from "../frame/not-found.tsx";
import type { PageStores } from "../start/page-stores.ts";
import { depsOfPage } from "./deps-of-page.ts";
import { SessionRoute } from "./session-route.tsx";
import { shownOf } from "./shown.ts";

/** Everything below `/s/:id`: one screen, so that the session stays open between its tabs. */
export const SessionPage = ({
  stores,
  id,
  rest,
}: {
  stores: PageStores;
  id: string;
  rest: string;
}) => {
  const [services] = useState(() => depsOfPage(stores));
  const shown = shownOf(rest);
  if (shown === null) return <NotFound />;
  return <SessionRoute id={id} services={services} shown={shown} />;
};
