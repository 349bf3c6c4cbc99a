import { useEffect, useState } from 'react'
import { askWorker } from './ask-worker.ts'

/** A run of text of one class, within a line. */
export interface Token {
  text: string
  className?: string | undefined
}

/** Characters that are highlighted; a longer text stays plain. */
const LENGTH_MAX = 512 * 1024
const LANGUAGES: Record<string, string> = {}
const add = (language: string, endings: string) => {
  for (const ending of endings.split(' ')) LANGUAGES[ending] = language
}
add('bash', 'sh bash zsh fish')
add('c', 'c h')
add('cpp', 'cc cpp hpp')
add('csharp', 'cs')
add('css', 'css less')
add('diff', 'diff patch')
add('dockerfile', 'dockerfile')
add('go', 'go')
add('ini', 'ini toml cfg conf env properties editorconfig')
add('java', 'java')
add('javascript', 'js mjs cjs jsx')
add('json', 'json jsonl ndjson json5 geojson')
add('kotlin', 'kt kts')
add('lua', 'lua')
add('makefile', 'makefile')
add('php', 'php')
add('python', 'py')
add('ruby', 'rb')
add('rust', 'rs')
add('scss', 'scss')
add('sql', 'sql')
add('swift', 'swift')
add('typescript', 'ts mts cts tsx')
add('xml', 'html htm xhtml xml xsl svg vue svelte')
add('yaml', 'yaml yml')

/** The grammar for a file name, or for the language that a code block of Markdown names. */
export function languageOf(name: string): string | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (Object.hasOwn(LANGUAGES, ending)) return LANGUAGES[ending]
  return Object.values(LANGUAGES).find((language) => language === ending)
}

const CLASSES: readonly [RegExp, string][] = [
  [/^(comment|quote|meta)/, 'text-muted'],
  [/^(string|regexp|addition|char|link)/, 'text-good'],
  [/^(number|literal|symbol|bullet|variable|template-variable|attribute|attr|property)/, 'text-warn'],
  [/^(deletion)/, 'text-danger'],
  [/^(keyword|built_in|type|tag|name|selector|section|doctag|operator)/, 'text-accent'],
  [/^(title|strong)/, 'font-semibold'],
]

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/**
 * Splits the markup of the highlighter into lines of tokens: text, entities and nested `<span class="hljs-…">`. It never becomes HTML
 * of the page.
 */
export function tokensOf(markup: string): Token[][] {
  const lines: Token[][] = [[]]
  const open: (string | undefined)[] = []
  for (const [part] of markup.matchAll(/<span class="[^"]*">|<\/span>|[^<]+|</g)) {
    if (part === '</span>') open.pop()
    else if (part.startsWith('<span ')) {
      const name = part.slice('<span class="'.length, -2).replace(/^hljs-/, '')
      open.push(CLASSES.find(([pattern]) => pattern.test(name))?.[1] ?? open.at(-1))
    } else {
      const text = part.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')
      for (const [index, piece] of text.split(/\r\n|\n|\r/).entries()) {
        if (index > 0) lines.push([])
        if (piece !== '') lines.at(-1)?.push({ text: piece, className: open.at(-1) })
      }
    }
  }
  return lines
}

/** The lines of a text in colours; undefined until they are known, or if there are none. Computed off the main thread. */
export function useHighlight(text: string, language: string | undefined): Token[][] | undefined {
  const [found, setFound] = useState<{ text: string; lines: Token[][] }>()
  useEffect(() => {
    if (!language || text === '' || text.length > LENGTH_MAX) return
    const worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
    return askWorker<string>(worker, { text, language }, (markup) => {
      if (markup !== undefined) setFound({ text, lines: tokensOf(markup) })
    })
  }, [text, language])
  return found?.text === text ? found.lines : undefined
}
