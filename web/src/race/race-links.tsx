import { useEffect, useState } from "react";
import { Button, ButtonLink } from "../kit/button.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { racePath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { NO_RACES, withNewest, withOlder } from "./listed-races.ts";
import style from "./race.module.css";

/** The races that the server lists, the newest first, where there are any. */
export const RaceLinks = ({
  stores: { client, sessions },
}: {
  stores: Pick<PageStores, "client" | "sessions">;
}) => {
  const [listed, setListed] = useState(NO_RACES);
  const { byId, sessions: shown } = useReadable(sessions);
  /** No stream tells of races: a new one has new sessions. */
  const known = `${byId.size}-${shown.length}`;
  useEffect(() => {
    let isCurrent = true;
    client.listRaces().then(
      (page) => isCurrent && setListed((before) => withNewest(before, page)),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, known]);
  const { names, next } = listed;
  const readOlder = (after: string): void => {
    client.listRaces({ after }).then(
      (page) => setListed((before) => withOlder(before, after, page)),
      () => undefined,
    );
  };
  if (names.length === 0) return null;
  return (
    <nav className={style.links} aria-label="Races">
      <h2>Races</h2>
      {names.map((name) => (
        <ButtonLink key={name} size="small" href={racePath(name)}>
          {name}
        </ButtonLink>
      ))}
      {next !== null && (
        <Button size="small" kind="plain" onClick={() => readOlder(next)}>
          Older races
        </Button>
      )}
    </nav>
  );
};
