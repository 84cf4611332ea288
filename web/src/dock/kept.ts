/** What is kept with a draft besides its text. */
import type { ContentBlock } from "../../../src/contract/base/content.ts";

interface KeptAttachment {
  id: string;
  name: string;
  block: ContentBlock;
  size: string;
}

export interface Kept {
  attachments: KeptAttachment[];
  /** Files of the workspace that were taken into the text. */
  files: string[];
  /** The key under which this was last sent. */
  attempt: { text: string; ids: string[]; key: string } | null;
}
export const NOTHING_KEPT: Kept = { attachments: [], files: [], attempt: null };

export const isNothing = ({ attachments, files }: Kept): boolean =>
  attachments.length === 0 && files.length === 0;

/** The browser's database of them. */
export const KEPT_DATABASE = "reprise";
