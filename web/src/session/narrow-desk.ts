/** Whether the window has no room for a line beside what is read, and is no phone's: the line begins folded there. */
export const isNarrowDesk = (): boolean =>
  matchMedia("(760px < width <= 1100px)").matches;
