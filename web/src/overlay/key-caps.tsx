import { Kbd } from "../kit/kbd.tsx";
import { keyCaps } from "./press.ts";

/** `G H` as two keys. */
export const KeyCaps = ({ keys, isMac }: { keys: string; isMac: boolean }) => (
  <>
    {keyCaps(keys, isMac).map((cap, i) => (
      <span key={cap}>
        {i > 0 && " "}
        <Kbd>{cap}</Kbd>
      </span>
    ))}
  </>
);
