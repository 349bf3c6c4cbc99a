import { describe, expect, it } from 'vitest'
import { splitLinks } from './links.ts'

const links = (text: string) => splitLinks(text).flatMap(({ href }) => (href ? [href] : []))

describe('a message', () => {
  it.each([
    ['see https://tidenet.example/docs for more', ['https://tidenet.example/docs']],
    ['(https://a.example/x).', ['https://a.example/x']],
    ['https://a.example/x_(y)', ['https://a.example/x_(y)']],
    ['http://a.example, https://b.example!', ['http://a.example/', 'https://b.example/']],
    ['请看https://a.example/x。谢谢', ['https://a.example/x']],
    ['HTTPS://A.example', ['https://a.example/']],
  ])('%j has the links %j', (text, wanted) => expect(links(text)).toEqual(wanted))

  it.each(['', 'hello', 'a https://b.example c', '<b>x</b> https://a.example/<script>'])(
    'keeps every character of %j',
    (text) =>
      expect(
        splitLinks(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text),
  )
})

describe('no link becomes', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'www.example.org',
    'https://bank.example@evil.example/',
    'https://',
    'https://[',
  ])('%j', (text) => expect(links(text)).toEqual([]))
})
