import { useSyncExternalStore } from "react";
import type { Readable } from "../store/readable.ts";

/** Renders again when the value changes. */
export const useReadable = <T>(readable: Readable<T>): T =>
  useSyncExternalStore(
    (changed) => readable.subscribe(changed),
    () => readable.get(),
  );

/** Renders again when what was selected of it changes. */
export const useSelected = <T, U>(
  readable: Readable<T>,
  select: (value: T) => U,
): U =>
  useSyncExternalStore(
    (changed) => readable.subscribe(changed),
    () => select(readable.get()),
  );
