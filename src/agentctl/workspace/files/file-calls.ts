/** What a thread that looks at workspaces is asked, and how it answers. */
import type { LinkParams } from "../../../contract/link/link.ts";
import type { LinkRefusal } from "../../../contract/link/link-refusal.ts";
import type {
  FileHead,
  ReadFile,
  WriteFile,
} from "../../../contract/link/link-files.ts";
import type { Directories } from "../../../contract/session/directories.ts";
import type {
  DirectoryPage,
  WrittenFile,
} from "../../../contract/session/workspace-file.ts";

export interface FileCalls {
  list: { query: LinkParams<"list_files">; answer: DirectoryPage };
  directories: {
    query: LinkParams<"list_directories">;
    answer: Directories;
  };
  /** The descriptor is the caller's to close; null where no bytes follow. */
  open: {
    query: ReadFile;
    answer: { head: FileHead; descriptor: number | null };
  };
  hold: { query: { cwd: string; path: string }; answer: Prepared };
  prepare: { query: WriteFile; answer: Prepared };
  commit: {
    /** Where the draft lies. */
    query: { order: WriteFile; draft: string };
    answer: WrittenFile;
  };
}

/** A directory that is held, and where a file may be made until it is whole. Its descriptor is the caller's to close. */
export interface Prepared {
  /** For a write: the directory, or the last that is there of those on the way to it. */
  directory: { path: string; descriptor: number | null };
  /** Its path in the workspace. */
  above: string;
}

/** A refusal on its way out of the thread; without a code it is an accident. */
export interface CallFailure {
  code: LinkRefusal | null;
  message: string;
}
