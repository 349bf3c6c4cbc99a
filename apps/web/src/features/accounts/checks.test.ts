import { beforeAll, describe, expect, it } from 'vitest'

let checks: typeof import('./checks.ts')
beforeAll(async () => {
  const texts = await import('../../lib/texts.ts')
  await texts.loadTexts()
  checks = await import('./checks.ts')
})

describe('the sign-in forms', () => {
  it.each(['a@b.co', ' who@example.com ', 'first.last+tag@sub.example.org'])('accept the address %s', (email) =>
    expect(checks.emailProblem(email)).toBeUndefined(),
  )
  it.each(['12345678', 'Tide-2026.ok', '!#$%&()*'])('accept the password %s', (password) =>
    expect(checks.newPasswordProblem(password)).toBeUndefined(),
  )
})

describe('the sign-in forms refuse', () => {
  it.each(['', ' ', 'a', 'a@b', 'a b@c.de', 'a@b@c.de', '<a@b.co>'])('the address "%s"', (email) =>
    expect(checks.emailProblem(email)).toBeDefined(),
  )
  it.each(['', '1234567', '1234567890123', 'with blank', '密码密码密码密码', 'tab\tbed78'])(
    'the password "%s"',
    (password) => expect(checks.newPasswordProblem(password)).toBeDefined(),
  )
})
