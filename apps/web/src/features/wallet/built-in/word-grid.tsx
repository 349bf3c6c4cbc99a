/** The numbered words of a recovery phrase. */
export function WordGrid({ words }: { words: readonly string[] }) {
  return (
    <ol
      translate="no"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-3"
    >
      {words.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words are identified by position and may repeat
        <li key={index} className="flex items-baseline gap-2 bg-surface px-3 py-2 font-mono text-sm">
          <span className="w-5 text-right text-xs text-muted tabular-nums select-none">{index + 1}</span>
          {word}
        </li>
      ))}
    </ol>
  )
}
