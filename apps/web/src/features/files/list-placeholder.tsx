import { t as shell } from '../../lib/texts.ts'
import { CardPlaceholder } from './entry-row.tsx'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]

/** Shown until the first rows have loaded. */
export function ListPlaceholder({ layout }: { layout: 'list' | 'grid' }) {
  return (
    <div role="status">
      <span className="sr-only">{shell.words.loading}</span>
      <div aria-hidden="true">
        {layout === 'grid' ? (
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3 p-3">
            {EIGHT.map((index) => (
              <CardPlaceholder key={index} />
            ))}
          </ul>
        ) : (
          [...EIGHT, 8, 9].map((index) => (
            <div key={index} className="flex h-16 items-center gap-3 border-b border-line px-4 last:border-b-0 sm:h-13">
              <span className="size-9 rounded-md bg-sunken" />
              <span className={`h-3 rounded-full bg-sunken ${index % 3 === 0 ? 'w-40' : 'w-56'}`} />
            </div>
          ))
        )}
      </div>
    </div>
  )
}
