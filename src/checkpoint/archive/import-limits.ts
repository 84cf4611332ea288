/** How large an archive may be that is taken in. */
export interface ImportLimits {
  /** Unpacked, all objects together; and laid out, each checkpoint. */
  maxBytes: number;
  maxObjects: number;
  /** Of a checkpoint, laid out. */
  maxPaths: number;
  maxDepth: number;
  /** Of all members together: they are held in memory. */
  maxMemberBytes: number;
}

const GIBIBYTE = 1024 ** 3;

export const IMPORT_LIMITS: ImportLimits = {
  maxBytes: 64 * GIBIBYTE,
  maxObjects: 8_000_000,
  maxPaths: 8_000_000,
  // The longest path that a system takes (4096 bytes) has no more names in it, so whatever was captured may come in.
  maxDepth: 2048,
  maxMemberBytes: GIBIBYTE,
};
