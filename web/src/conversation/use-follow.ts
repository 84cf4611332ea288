import {
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import {
  endOf,
  type Follow,
  followFrom,
  held,
  type Place,
  resized,
  scrolled,
} from "./follow.ts";

/** What a finger or a wheel began goes on for a while by itself. */
const READER_MS = 1_000;
const MOMENTUM_MS = 200;

const scrollKeys = new Set([
  "ArrowUp",
  "ArrowDown",
  "PageUp",
  "PageDown",
  "Home",
  "End",
  " ",
]);

/** Keeps a list at its end until a reader moves it up. */
export const useFollow = (scroller: RefObject<HTMLDivElement | null>) => {
  const follow = useRef<Follow>(
    followFrom({ offset: 0, viewport: 0, size: 0 }),
  );
  /** Until when what moves the list is taken to be a reader. */
  const readerUntil = useRef(0);
  const [isPinned, setPinned] = useState(true);

  const take = useCallback((next: Follow) => {
    follow.current = next;
    setPinned(next.isPinned);
  }, []);

  const pin = useCallback(() => {
    const { current: element } = scroller;
    if (element === null) return;
    if (follow.current.isPinned) {
      const end = endOf(placeOf(element));
      if (Math.abs(element.scrollTop - end) > 1) element.scrollTop = end;
    }
    const next = resized(follow.current, placeOf(element));
    follow.current = next;
    setPinned(next.isPinned);
  }, [scroller]);

  const hold = useCallback(() => take(held(follow.current)), [take]);

  useEffect(() => {
    const { current: element } = scroller;
    if (element === null) return;
    // The prompt box grows, the window or the phone's keyboard changes: the list is smaller, and nothing was scrolled.
    const observer = new ResizeObserver(pin);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, pin]);

  return useMemo(
    () => ({
      isPinned,
      pin,
      hold,
      scrolled: () => {
        const { current: element } = scroller;
        if (element === null) return;
        const now = performance.now();
        const byReader = now < readerUntil.current;
        if (byReader)
          readerUntil.current = Math.max(
            readerUntil.current,
            now + MOMENTUM_MS,
          );
        take(scrolled(follow.current, { place: placeOf(element), byReader }));
      },
      letGo: () => {
        // What a wheel began goes on for a while, and is at the end: that takes it up again for nobody.
        readerUntil.current = 0;
        take({ isPinned: false, last: follow.current.last });
      },
      return: () => {
        take({ ...follow.current, isPinned: true });
        pin();
      },
      handlers: readerEvents(() => {
        readerUntil.current = performance.now() + READER_MS;
      }),
    }),
    [isPinned, pin, hold, scroller, take],
  );
};

const placeOf = (element: HTMLElement): Place => ({
  offset: element.scrollTop,
  viewport: element.clientHeight,
  size: element.scrollHeight,
});

/** Everything by which a person moves a list. */
const readerEvents = (moved: () => void) => ({
  onWheel: moved,
  onTouchMove: moved,
  onKeyDown: ({ key }: { key: string }) => {
    if (scrollKeys.has(key)) moved();
  },
  // The scrollbar belongs to the element itself; so does a selection that is drawn upwards.
  onPointerDown: moved,
  onPointerMove: ({ buttons }: { buttons: number }) => {
    if (buttons !== 0) moved();
  },
});
