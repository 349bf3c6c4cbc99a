import { expect, it } from 'vitest'
import { checkName, safeName } from './names.ts'

it.each([
  ['holiday', 'holiday'],
  ['照片 2024', '照片 2024'],
  [' a/b\\c\n ', 'a_b_c_'],
  ['../../etc', '.._.._etc'],
  ['..', 'folder'],
  ['.', 'folder'],
  ['', 'folder'],
  ['  ', 'folder'],
  ['a\ud800', 'a_'],
  ['x'.repeat(300), 'x'.repeat(255)],
  ['字'.repeat(100), '字'.repeat(85)],
])('%j becomes a name that any system takes', (name, safe) => {
  expect(safeName(name, 'folder')).toBe(safe)
  checkName(safeName(name, 'folder'))
})
