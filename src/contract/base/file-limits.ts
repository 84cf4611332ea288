/** Limits of reading and writing files of a workspace. Apart from what checks them, so that threads start without that. */

/** A read tells so many bytes, at most; more comes range by range. */
export const MAX_READ_BYTES = 8 * 1024 * 1024;
/** A file that is written holds so many, at most. */
export const MAX_WRITE_BYTES = 64 * 1024 * 1024;
/** Of a path, in bytes. */
export const MAX_PATH_BYTES = 8192;
/** Entries of a directory in one page. */
export const MAX_ENTRIES = 1000;
