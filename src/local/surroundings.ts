/** What a program was started with, as far as it says which server is meant. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}
