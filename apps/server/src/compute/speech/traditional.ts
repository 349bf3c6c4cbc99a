/**
 * Converts texts in simplified Chinese characters to traditional ones, as they are written in Taiwan; words stay what was said. Texts that are
 * traditional already stay as they are: converted once more, some characters would become wrong ones.
 */
export async function toTraditional(texts: readonly string[]): Promise<string[]> {
  const scripts = texts.map(scriptOf)
  const whole = scriptOf(texts.join(''))
  const isSimplified = (index: number) => (scripts[index] ?? whole) === 'simplified'
  if (!texts.some((_, index) => isSimplified(index))) return [...texts]
  const convert = await loadConverter()
  return texts.map((text, index) => (isSimplified(index) ? convert(text) : text))
}

let converter: Promise<(text: string) => string> | undefined
/** Loaded at its first use: the dictionaries take 0.3 seconds and 100 MB of memory. */
function loadConverter() {
  converter ??= import('opencc-js/cn2t').then(({ Converter }) => Converter({ from: 'cn', to: 'tw' }))
  return converter
}

/** The script of a text by the characters that only one of both scripts has; undefined if there is no difference. */
function scriptOf(text: string): 'simplified' | 'traditional' | undefined {
  let simplified = 0
  for (const char of text) {
    const code = char.codePointAt(0) as number
    // The usual Chinese characters.
    if (code < 0x4e00 || code > 0x9fff) continue
    const [isSimplified, isTraditional] = [gb2312().has(char), big5().has(char)]
    if (isSimplified !== isTraditional) simplified += isSimplified ? 1 : -1
  }
  return simplified === 0 ? undefined : simplified > 0 ? 'simplified' : 'traditional'
}

/** The characters of the old national encodings: each has one script only. */
const gb2312 = charactersOf('gbk', [0xb0, 0xf7], [[0xa1, 0xfe]])
const big5 = charactersOf(
  'big5',
  [0xa4, 0xf9],
  [
    [0x40, 0x7e],
    [0xa1, 0xfe],
  ],
)

function charactersOf(encoding: string, [from, to]: [number, number], trails: readonly [number, number][]) {
  let set: Set<string> | undefined
  return (): Set<string> => {
    if (set) return set
    const bytes: number[] = []
    for (let lead = from; lead <= to; lead += 1) {
      // Later additions to Big5 mix both scripts.
      if (encoding === 'big5' && lead > 0xc6 && lead < 0xc9) continue
      for (const [first, last] of trails) for (let trail = first; trail <= last; trail += 1) bytes.push(lead, trail)
    }
    set = new Set(new TextDecoder(encoding).decode(new Uint8Array(bytes)))
    return set
  }
}
