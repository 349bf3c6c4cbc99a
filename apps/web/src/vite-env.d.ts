/// <reference types="vite/client" />

declare module '*.md' {
  export const meta: Record<string, string | number>
  export const html: string
  export const headings: { id: string; title: string; depth: number }[]
}
