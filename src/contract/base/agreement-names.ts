/** By what agreements and races are found among receipts. No schemas: the threads of the database use it too. */

/** The scope of the receipts that agreements are. */
export const AGREEMENTS = "agreements";

/** What the name of a race's own agreement begins with. */
export const RACE = "race.";
