/** What the thread with the screens and its owner say to each other. Bytes are copies: nobody else has them. */
import type { ShellId } from "../../../contract/base/id.ts";

export interface Size {
  cols: number;
  rows: number;
}

/** A screen at one place of the output: drawn on an empty terminal of this size it is what it was. */
export interface Snapshot extends Size {
  /** How many bytes of the output it stands for. */
  offset: number;
  bytes: Uint8Array;
}

export interface ScreenCalls {
  /** A screen as it was. */
  open: { query: { shell: ShellId; snapshot: Snapshot }; answer: null };
  /**
   * Draws for one turn, and answers whether everything is drawn that this screen was given. If not, it is asked for another
   * turn, with no bytes. Questions in a replay were answered when they came.
   */
  write: {
    query: { shell: ShellId; bytes: Uint8Array; isReplay: boolean };
    answer: boolean;
  };
  resize: { query: { shell: ShellId; size: Size }; answer: null };
  /** `last`: nothing more comes, so that it stands for everything. */
  snapshot: { query: { shell: ShellId; last: boolean }; answer: Snapshot };
  close: { query: { shell: ShellId }; answer: null };
}

export type ScreenNote =
  /** A program asked the terminal something: this is to be typed. */
  | { kind: "answer"; shell: ShellId; text: string }
  /** What a program calls its window. */
  | { kind: "title"; shell: ShellId; title: string };
