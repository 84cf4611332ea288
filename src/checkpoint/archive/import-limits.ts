/** How large an archive may be that is taken in. */
export interface ImportLimits {
  /** Unpacked, all objects together; and laid out, each checkpoint. */
  mostBytes: number;
  mostObjects: number;
  /** Of a checkpoint, laid out. */
  mostPaths: number;
  mostDepth: number;
  /** Of all members together: they are held in memory. */
  mostMemberBytes: number;
}

const GIBIBYTE = 1024 ** 3;

export const IMPORT_LIMITS: ImportLimits = {
  mostBytes: 64 * GIBIBYTE,
  mostObjects: 8_000_000,
  mostPaths: 8_000_000,
  // The longest path that a system takes (4096 bytes) has no more names in it, so whatever was captured may come in.
  mostDepth: 2048,
  mostMemberBytes: GIBIBYTE,
};
