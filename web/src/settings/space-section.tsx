import { useState } from "react";
import { Link } from "wouter";
import { refusalWords } from "../words/refusal-words.ts";
import { Button } from "../kit/button.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { LoadingState } from "../kit/loading-state.tsx";
import { useLoaded } from "../kit/use-loaded.ts";
import type { PageStores } from "../start/page-stores.ts";
import { bytes } from "../words/counts.ts";
import { spaceOf } from "./space.ts";
import { SpaceTable } from "./space-table.tsx";
import style from "./settings.module.css";

/** What takes the space, and the one thing that frees some. */
export const SpaceSection = ({
  stores: { client },
}: {
  stores: Pick<PageStores, "client">;
}) => {
  const { value, refusal, reload } = useLoaded("space", () =>
    client.showDiskUse(),
  );
  const [isBusy, setBusy] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const free = (): void => {
    setBusy(true);
    setTold(null);
    client
      .collectGarbage()
      .then(
        ({ freed_bytes }) => {
          setTold(`${bytes(freed_bytes)} freed.`);
          reload();
        },
        (error: unknown) => setTold(refusalWords(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <section className={style.group} aria-labelledby="space">
      <h2 id="space">What takes the space</h2>
      {value === null && refusal === null && (
        <LoadingState label="Adding it up" />
      )}
      {refusal !== null && (
        <ErrorState title="It could not be added up" retry={reload}>
          {refusal}
        </ErrorState>
      )}
      {value !== null && <SpaceTable space={spaceOf(value)} />}
      <p>
        Checkpoints are counted. Journals, logs and the directories that agents
        work in are not. What is in <Link href="/trash">the trash</Link> is
        freed when it goes.
      </p>
      <div className={style.act}>
        <Button disabled={isBusy} onClick={free}>
          {isBusy ? "Freeing…" : "Free what nothing needs"}
        </Button>
        <span role="status">{told}</span>
      </div>
    </section>
  );
};
