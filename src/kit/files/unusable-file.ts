/** Why a file of ours is not used: others can change it or read a secret in it, it is no plain file or too long, it is a directory, it holds no secret, or it is damaged. */
export type FileFault =
  | "not_ours"
  | "not_private"
  | "not_plain"
  | "is_directory"
  | "no_secret"
  | "damaged";

/** A file that is there and is not what it has to be. The message says which, and what to do. */
export class UnusableFile extends Error {
  readonly code: FileFault;
  constructor(code: FileFault, message: string) {
    super(message);
    this.name = "UnusableFile";
    this.code = code;
  }
}

export const isUnusable = (
  error: unknown,
  code: FileFault,
): error is UnusableFile =>
  error instanceof UnusableFile && error.code === code;
