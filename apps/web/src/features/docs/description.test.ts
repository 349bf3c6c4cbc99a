import { contract } from '@tidenet/contract'
import { openApi } from '@tidenet/contract/openapi'
import { describe, expect, it } from 'vitest'
import { curlOf, type Document, operationsOf, outline, typeText } from './description.ts'
import { summariesZh } from './summaries-zh.ts'

const operations = operationsOf(openApi(contract) as unknown as Document)
const find = (id: string) => {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`${id} is not described`)
  return found
}

describe('the API reader', () => {
  it('shows every operation of the contract once, whatever its twins and aliases', () => {
    const names = Object.entries(contract).flatMap(([duty, each]) => Object.keys(each).map((name) => `${duty}.${name}`))
    expect(operations.map(({ id }) => id).sort()).toEqual(names.sort())
    expect(find('folders.create').aliases).toContain('POST /api/v1/storage/create_group')
    expect(find('accounts.login').aliases).toContain('POST /api/v2/login')
  })

  it('says who may call, what is asked, what is answered and what is refused', () => {
    expect(find('network.summary').who).toBe('public')
    expect(find('assets.detail').who).toBe('optional')
    expect(find('apiKeys.list').who).toBe('session')
    expect(find('assets.create').who).toBe('key')
    expect(find('nodeControl.heartbeat').who).toBe('node')
    expect(find('folders.create').parameters.map(({ name }) => name)).toEqual(['name', 'parent'])
    expect(find('assets.create').refusals).toContain('1017 assetExists')
    expect(outline(find('usage.storageSize').answer)).toContain('UsedTraffic: number')
    expect(outline(find('explorer.events').answer)).toContain('online: number')
  })

  it('has a sentence in Chinese for each', () => {
    expect(Object.keys(summariesZh).sort()).toEqual(operations.map(({ id }) => id).sort())
  })

  it('shows how to call', () => {
    expect(curlOf(find('folders.create'), 'http://host')).toBe(
      "curl 'http://host/api/v1/storage/create_group?name=<name>' \\\n  -H 'JwtAuthorization: Bearer <token>'",
    )
    expect(curlOf(find('accounts.login'), 'http://host')).toContain('-d \'{"username":"<username>"}\'')
    expect(curlOf(find('tempFiles.info'), 'http://host')).toContain('/temp_file/info/<cid>')
  })

  it.each([
    [{ type: 'string' }, 'string'],
    [{ enum: ['file', 'folder'] }, '"file" | "folder"'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number | null'],
    [{}, 'any'],
    [undefined, 'any'],
  ])('writes the type %j as %s', (schema, text) => expect(typeText(schema)).toBe(text))
})
