/**
 * Whether the list stays at its end while it grows.
 *
 *            the reader moves up                    “Latest”, or the reader moves to the end
 *   pinned ──────────────────────▶ let go   let go ─────────────────────────────────────────▶ pinned
 *
 * Growing content, a growing prompt box and a smaller window move the end away without a reader: they change nothing.
 */
export interface Place {
  /** From the top of the content to the top of what is seen. */
  offset: number;
  /** The height of what is seen, and of all content. */
  viewport: number;
  size: number;
}

/** So near to the end counts as being there. */
export const NEAR_END = 24;

export const isAtEnd = ({ offset, viewport, size }: Place): boolean =>
  size - viewport - offset <= NEAR_END;

/** Where the list is to be moved to. */
export const endOf = ({ viewport, size }: Place): number =>
  Math.max(0, size - viewport);

export interface Follow {
  isPinned: boolean;
  /** A reader opened or closed something: what is in sight stays. It is pinned again where that is still the end. */
  isHeld?: boolean;
  /** Where the list was when it was last looked at. */
  last: Place;
}

export const followFrom = (last: Place): Follow => ({ isPinned: true, last });

/**
 * After a scroll event. `byReader`: a wheel, a finger, a key or the scrollbar moved it. Only a reader lets go, and only by
 * moving up; whoever arrives at the end is pinned again.
 */
export const scrolled = (
  { isPinned, last }: Follow,
  { place, byReader }: { place: Place; byReader: boolean },
): Follow => {
  if (isAtEnd(place)) return { isPinned: isPinned || byReader, last: place };
  const movedUp = place.offset < last.offset;
  return { isPinned: isPinned && !(byReader && movedUp), last: place };
};

/** A reader opens or closes something in a list that is at its end. */
export const held = (follow: Follow): Follow =>
  follow.isPinned ? { ...follow, isPinned: false, isHeld: true } : follow;

/** After the content, the list's own height or the prompt box changed. */
export const resized = (follow: Follow, place: Place): Follow =>
  follow.isHeld === true && place.size !== follow.last.size && isAtEnd(place)
    ? { isPinned: true, last: place }
    : { ...follow, last: place };
