import { useEffect, useMemo, useState } from "react";
import { readRace } from "../../../src/client/race.ts";
import { ButtonLink } from "../kit/button.tsx";
import { useReadable } from "../kit/use-readable.ts";
import { racePath } from "../routes.ts";
import type { PageStores } from "../start/page-stores.ts";
import { raceNames } from "./runs.ts";
import style from "./race.module.css";

/** The races among the sessions that are known, where there are any. */
export const RaceLinks = ({
  stores: { client, sessions },
}: {
  stores: Pick<PageStores, "client" | "sessions">;
}) => {
  const view = useReadable(sessions);
  const names = useMemo(() => raceNames(view.sessions).join(), [view.sessions]);
  const [races, setRaces] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    // Other sessions may have such names too: the server knows which are races.
    const asked = names === "" ? [] : names.split(",");
    Promise.all(
      asked.map(async (name) => ((await readRace(client, name)) ? [name] : [])),
    ).then(
      (found) => isCurrent && setRaces(found.flat()),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [client, names]);
  if (races.length === 0) return null;
  return (
    <nav className={style.links} aria-label="Races">
      <h2>Races</h2>
      {races.map((name) => (
        <ButtonLink key={name} size="small" href={racePath(name)}>
          {name}
        </ButtonLink>
      ))}
    </nav>
  );
};
