import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { useReadable } from "../kit/use-readable.ts";
import type { Readable } from "../store/readable.ts";
import style from "./away-bar.module.css";

/** Where the server is of another release than the page. Nothing is lost by loading it again, and nobody has to. */
export const ReleaseBar = ({ other }: { other: Readable<string | null> }) => {
  const version = useReadable(other);
  return (
    <div role="status">
      {version !== null && (
        <div className={style.bar}>
          <Icon name="repeat" size={14} />
          <p>
            <b>The server is now Reprise {version}.</b> This page is of another
            release; what you have typed stays.
          </p>
          <Button size="small" onClick={() => location.reload()}>
            Load again
          </Button>
        </div>
      )}
    </div>
  );
};
