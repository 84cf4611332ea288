/** A repeat sign: the stroke, the bar, the two dots. */
export const Logo = ({ size = 18 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 18 18" aria-hidden="true">
    <path fill="currentColor" d="M2 2h3v14H2zM7 2h1.4v14H7z" />
    <circle fill="currentColor" cx="12.6" cy="6.3" r="1.7" />
    <circle fill="currentColor" cx="12.6" cy="11.7" r="1.7" />
  </svg>
);
