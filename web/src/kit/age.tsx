import { age } from "../words/age.ts";
import { useNow } from "./now.tsx";

/** How long ago something was, with the exact time for who points at it. */
export const Age = ({
  at,
  className,
}: {
  at: string;
  className?: string | undefined;
}) => (
  <time
    dateTime={at}
    title={new Date(at).toLocaleString()}
    className={className}
  >
    {age(at, useNow())}
  </time>
);
