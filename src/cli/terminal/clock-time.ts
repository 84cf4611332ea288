/** A time as a clock on the wall shows it, with the day where that is another one. */
export const clockTime = (time: string, now: Date): string => {
  const then = new Date(time);
  const clock = `${two(then.getHours())}:${two(then.getMinutes())}`;
  return then.toDateString() === now.toDateString()
    ? clock
    : `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${clock}`;
};

const two = (n: number): string => String(n).padStart(2, "0");
