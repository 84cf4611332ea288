/** What the configuration of the server says to the page. */
export interface PageSettings {
  /** Whether a session is resumed when somebody opens it, where its agent restores its own session. */
  autoResume: boolean;
  /** After how many quiet minutes agents are stopped; null: never. */
  idleMinutes: number | null;
  /** How long sessions stay in the trash; null where that is not known. */
  trashDays: number | null;
}
