import { useEffect, useState } from "react";
import { Button, ButtonLink } from "../kit/button.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { racePath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import style from "./race.module.css";

interface Listed {
  names: readonly string[];
  next: string | null;
}

/** The races that the server knows, the newest first, where there are any. */
export const RaceLinks = ({
  stores: { client, sessions },
}: {
  stores: Pick<PageStores, "client" | "sessions">;
}) => {
  const [listed, setListed] = useState<Listed>({ names: [], next: null });
  const { byId, sessions: shown } = useReadable(sessions);
  /** No stream tells of races: a new one has new sessions. */
  const known = `${byId.size}-${shown.length}`;
  useEffect(() => {
    let isCurrent = true;
    client.listRaces().then(
      ({ races, next }) =>
        isCurrent && setListed({ names: races.map(({ name }) => name), next }),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, known]);
  const { names, next } = listed;
  const readOlder = (after: string): void => {
    client.listRaces({ after }).then(
      (page) =>
        setListed((before) =>
          before.next === after
            ? {
                names: [...before.names, ...page.races.map(({ name }) => name)],
                next: page.next,
              }
            : before,
        ),
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
