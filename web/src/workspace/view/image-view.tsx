import { useEffect, useState } from "react";
import type { ImageType } from "./content.ts";
import style from "./viewer.module.css";

/** A picture, drawn from its bytes under a type that was found in them: nothing of it can run. */
export const ImageView = ({
  name,
  bytes,
  type,
}: {
  name: string;
  bytes: Uint8Array;
  type: ImageType;
}) => {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (typeof reader.result === "string") setAddress(reader.result);
    });
    reader.readAsDataURL(new Blob([Uint8Array.from(bytes)], { type }));
    return () => reader.abort();
  }, [bytes, type]);
  return (
    <div className={style.picture}>
      {address !== null && <img src={address} alt={name} />}
    </div>
  );
};
