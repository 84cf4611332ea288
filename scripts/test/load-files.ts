/**
 * The main module of a process that runs several test files: loads one after the other. An empty suite before each tells
 * the reporter whose tests follow.
 */
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";

/** How the name of a suite begins that only says which file's tests follow. */
export const FILE_MARK = "file of tests: ";

const loadFiles = async (files: readonly string[]): Promise<void> => {
  for (const file of files) {
    void describe(FILE_MARK + file, () => {});
    try {
      await import(pathToFileURL(file).href);
    } catch (error) {
      void test("(the file)", () => {
        throw error;
      });
    }
  }
};

if (import.meta.main) await loadFiles(process.argv.slice(2));
