/** Journals page by page: other reads get their turn between pages, and so does this thread's event loop. */
import type { Damage, EventPage } from "./reading/chain-reads.ts";

/** Large events make a read end early: nobody has to hold all of them at once. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Whoever only looks through a journal holds no more than this of it. */
const PAGE = 2000;

interface Part {
  after: number;
  limit: number;
}

type ReadPage = (part: Part) => Promise<EventPage>;

/** Ends before damage. */
export const readPages = async <T>(
  read: ReadPage,
  { after, limit }: Part,
  decode: (body: string) => T,
): Promise<{ events: T[]; damage: Damage | null }> => {
  const events: T[] = [];
  let characters = 0;
  for (;;) {
    const { bodies, more, damage } = await read({
      after: after + events.length,
      limit: limit - events.length,
    });
    for (const body of bodies) {
      events.push(decode(body));
      characters += body.length;
    }
    if (!more || characters > MAX_CHARACTERS) return { events, damage };
  }
};

/** Reads a whole journal; null when it is sound. What is met in its middle may be the end of a longer damage. */
export const firstDamage = async (read: ReadPage): Promise<number | null> => {
  for (let after = 0; ;) {
    const page = await read({ after, limit: PAGE });
    if (page.damage !== null) return page.damage.from;
    if (page.bodies.length === 0) return null;
    after += page.bodies.length;
  }
};
