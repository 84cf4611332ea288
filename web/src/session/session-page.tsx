import { useState } from "react";
import { NotFound } from "../frame/not-found.tsx";
import type { PageStores } from "../start/page-stores.ts";
import { depsOfPage } from "./deps-of-page.ts";
import { SessionRoute } from "./session-route.tsx";

/** `/s/:id` and `/s/:id/changes`: one screen, so that the session stays open between them. */
export const SessionPage = ({
  stores,
  id,
  tab,
}: {
  stores: PageStores;
  id: string;
  tab: string | undefined;
}) => {
  const [services] = useState(() => depsOfPage(stores));
  if (tab !== undefined && tab !== "changes") return <NotFound />;
  return (
    <SessionRoute id={id} services={services} tab={tab ?? "conversation"} />
  );
};
