import { contract } from '@tidenet/contract'
import { openApi } from '@tidenet/contract/openapi'
import { describe, expect, it } from 'vitest'
import { curlOf, type Document, operationsOf, outline, typeText } from './description.ts'
import { summariesZh } from './summaries-zh.ts'

const operations = operationsOf(openApi(contract) as unknown as Document)
const find = (id: string) => {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`The document does not contain ${id}`)
  return found
}

describe('the API reference', () => {
  it('shows every operation of the contract once, including its aliases', () => {
    const names = Object.entries(contract).flatMap(([group, each]) =>
      Object.keys(each).map((name) => `${group}.${name}`),
    )
    expect(operations.map(({ id }) => id).sort()).toEqual(names.sort())
    expect(find('folders.create').aliases).toContain('POST /api/v1/storage/create_group')
    expect(find('accounts.login').aliases).toContain('POST /api/v2/login')
  })

  it('shows authentication, parameters, response and errors', () => {
    expect(find('network.summary').auth).toBe('public')
    expect(find('assets.detail').auth).toBe('optional')
    expect(find('apiKeys.list').auth).toBe('session')
    expect(find('assets.create').auth).toBe('key')
    expect(find('nodeControl.heartbeat').auth).toBe('node')
    expect(find('s3Access.verify').auth).toBe('gateway')
    expect(find('folders.create').parameters.map(({ name }) => name)).toEqual(['name', 'parent', 'encrypted'])
    expect(find('assets.create').refusals).toContain('1017 assetExists')
    expect(outline(find('usage.storageSize').answer)).toContain('UsedTraffic: number')
    expect(outline(find('explorer.events').answer)).toContain('online: number')
  })

  it('has a Chinese summary of each operation', () => {
    expect(Object.keys(summariesZh).sort()).toEqual(operations.map(({ id }) => id).sort())
  })

  it('shows a curl command', () => {
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
