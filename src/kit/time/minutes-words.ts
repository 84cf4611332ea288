/** `3 s`, `30 min`, `1.5 min`, `2 h`: how a person would say so many minutes. */
export const minutesWords = (minutes: number): string => {
  if (minutes < 1) return `${rounded(minutes * 60)} s`;
  const hours = minutes / 60;
  return Number.isInteger(hours) ? `${hours} h` : `${rounded(minutes)} min`;
};

const rounded = (amount: number): number => Math.round(amount * 100) / 100;
