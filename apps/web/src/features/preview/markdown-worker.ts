import { parseMarkdown } from './markdown-parse.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(parseMarkdown(data)))
