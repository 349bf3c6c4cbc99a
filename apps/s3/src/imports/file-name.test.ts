import { expect, it } from 'vitest'
import { fileName } from './file-name.ts'

const of = (url: string, disposition?: string, wanted = '') => fileName(wanted, new URL(url), disposition)

it('prefers the name of the owner, then that of the source, then the end of the address', () => {
  expect(of('https://a.example/b/c%20d.txt?x=1')).toBe('c d.txt')
  expect(of('https://a.example/b/', 'attachment; filename="x \\"y\\".txt"')).toBe('x "y".txt')
  expect(of('https://a.example/b', 'attachment; filename=plain.txt')).toBe('plain.txt')
  expect(of('https://a.example/b', "attachment; filename=a; filename*=UTF-8''%E6%8A%A5.txt")).toBe('报.txt')
  expect(of('https://a.example/b', 'attachment; filename=a', 'mine')).toBe('mine')
  expect(of('https://a.example/')).toBe('a.example')
})

it('makes a name of whatever a source sends', () => {
  expect(of('https://a.example/x', 'attachment; filename="../../etc/passwd"')).toBe('.._.._etc_passwd')
  expect(of('https://a.example/x', 'attachment; filename=".."')).toBe('x')
  expect(of('https://a.example/%00%E2%80%AEx')).toBe('__x')
  expect(of('https://a.example/%')).toBe('%')
  expect(of(`https://a.example/${'long'.repeat(100)}`)).toHaveLength(200)
})
