import { useState } from "react";
import { usePathname } from "wouter/use-browser-location";
import { NotFound } from "../frame/not-found.tsx";
import type { PageStores } from "../start/page-stores.ts";
import { depsOfPage } from "./deps-of-page.ts";
import { SessionRoute } from "./session-route.tsx";
import { shownOf } from "./shown.ts";

/** Everything below `/s/:id`: one screen, so that the session stays open between its tabs. */
export const SessionPage = ({
  stores,
  id,
}: {
  stores: PageStores;
  id: string;
}) => {
  const [services] = useState(() => depsOfPage(stores));
  // As it stands in the address bar: paths are bytes, and the router's decoding does not lead back to all of them.
  const shown = shownOf(usePathname());
  if (shown === null) return <NotFound />;
  return <SessionRoute id={id} services={services} shown={shown} />;
};
