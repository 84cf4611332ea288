import { Offers } from "../kit/offers.tsx";
import style from "./file-offers.module.css";

/** Files that can be taken into the prompt, and what is told of them. */
export const FileOffers = ({
  id,
  paths,
  chosen,
  note,
  onChoose,
  onTake,
}: {
  id: string;
  paths: readonly string[];
  chosen: number;
  /** What is told where there are none. */
  note: string;
  onChoose: (index: number) => void;
  onTake: (path: string) => void;
}) => (
  <div className={style.files}>
    <Offers
      id={id}
      label="Files"
      icon="file"
      paths={paths}
      chosen={chosen}
      onChoose={onChoose}
      onTake={(index) => {
        const path = paths[index];
        if (path !== undefined) onTake(path);
      }}
    >
      {(path) => (
        <>
          <span className={style.name}>
            {path.slice(path.lastIndexOf("/") + 1)}
          </span>
          <span className={style.directory}>
            {path.slice(0, Math.max(0, path.lastIndexOf("/")))}
          </span>
        </>
      )}
    </Offers>
    <p className={style.note} role="status">
      {note}
    </p>
  </div>
);
