import { useRef } from "react";
import { IconButton } from "../kit/icon-button.tsx";

/** Chooses files of this machine. */
export const AttachButton = ({
  disabled = false,
  onFiles,
}: {
  disabled?: boolean;
  onFiles: (files: readonly File[]) => void;
}) => {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="clip"
        label="Attach"
        disabled={disabled}
        onClick={() => chooser.current?.click()}
      />
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
};
