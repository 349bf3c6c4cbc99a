/** The mark and, unless the screen is very narrow, the name. */
export function Logo() {
  return (
    <span className="flex items-center gap-2 text-[1.0625rem] font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 shrink-0">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M5 14c3.7 0 3.7-3 7.3-3s3.7 3 7.4 3 3.7-3 7.3-3M5 21.5c3.7 0 3.7-3 7.3-3s3.7 3 7.4 3 3.7-3 7.3-3"
          fill="none"
          className="stroke-on-accent"
          strokeWidth="2.6"
          strokeLinecap="round"
        />
      </svg>
      <span className="max-[22.5rem]:hidden">Tidenet</span>
    </span>
  )
}
