import { expect, it } from 'vitest'
import { toTraditional } from './traditional.ts'

it('simplified characters become traditional ones, by their words', async () => {
  expect(await toTraditional(['以后皇后说：里面的面条在台湾。', '这是软件。'])).toEqual([
    '以後皇后說：裡面的麵條在臺灣。',
    '這是軟件。',
  ])
})

it('a sentence without any hint has the script of the others', async () => {
  expect(await toTraditional(['以后', '我们说'])).toEqual(['以後', '我們說'])
  expect(await toTraditional(['以后', '我們說'])).toEqual(['以后', '我們說'])
})

it.each(['範先生說', '皇后說', 'Hello, 123.', '', '范于'])(
  'leaves %s, which has no simplified characters',
  async (text) => {
    expect(await toTraditional([text])).toEqual([text])
  },
)
