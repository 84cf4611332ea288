import { useEffect, useRef } from "react";
import { Icon } from "../kit/icon.tsx";
import style from "./file-offers.module.css";

/** Files that can be taken into the prompt. The focus stays in the prompt box, which names the chosen one. */
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
}) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ block: "nearest" });
  }, [chosen, paths]);
  return (
    <div className={style.offers}>
      {paths.length > 0 && (
        <div ref={list} id={id} role="listbox" aria-label="Files">
          {paths.map((path, i) => (
            <div
              key={path}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === chosen}
              className={style.offer}
              onPointerMove={() => onChoose(i)}
              // The prompt box keeps the focus. A finger that scrolls the list takes nothing.
              onPointerDown={(event) => event.preventDefault()}
              onPointerUp={() => onTake(path)}
            >
              <Icon name="file" size={14} />
              <span className={style.name}>
                {path.slice(path.lastIndexOf("/") + 1)}
              </span>
              <span className={style.directory}>
                {path.slice(0, Math.max(0, path.lastIndexOf("/")))}
              </span>
            </div>
          ))}
        </div>
      )}
      <p className={style.note} role="status">
        {note}
      </p>
    </div>
  );
};
