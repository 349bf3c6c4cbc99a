import type { Contract } from '@tidenet/contract'

/** The parts of an OpenAPI document that the API reference shows. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  prefixItems?: Schema[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  additionalProperties?: boolean | Schema
}

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}

interface Described {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, unknown>[]
  parameters: Parameter[]
  /** Not JSON: the bytes of a file. */
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface Document {
  paths: Record<string, Record<string, Described>>
}

/** A group of the contract, which is the tag of its operations. */
export type Group = keyof Contract

/** An operation with all its addresses. */
export interface Operation {
  id: string
  group: Group
  method: string
  path: string
  /** Other ways to call it: `POST /api/…`. */
  aliases: string[]
  summary: string
  refusals: string[]
  auth: 'public' | 'optional' | 'session' | 'key' | 'node' | 'gateway'
  parameters: Parameter[]
  body: Schema | undefined
  answer: Schema | undefined
}

/** The operations of a document, in its order; further paths of an operation become its aliases. */
export function operationsOf(document: Document): Operation[] {
  const operations = new Map<string, Operation>()
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, described] of Object.entries(methods)) {
      const id = described.operationId.split('.').slice(0, 2).join('.')
      const known = operations.get(id)
      const address = `${method.toUpperCase()} ${path}`
      if (known) known.aliases.push(address)
      else operations.set(id, operation(id, method, path, described))
    }
  return [...operations.values()]
}

function operation(id: string, method: string, path: string, described: Described): Operation {
  const content = described.responses['200']?.content
  const envelope = content?.['application/json']?.schema
  return {
    id,
    group: described.tags[0] as Group,
    method: method.toUpperCase(),
    path,
    aliases: [],
    summary: described.summary,
    refusals: refusalsOf(described.description),
    auth: authOf(described.security),
    parameters: described.parameters.filter((parameter) => parameter.in !== 'header'),
    body: described.requestBody?.content['application/json']?.schema,
    // An event stream has no envelope: show the schema of its events.
    answer: content?.['text/event-stream']?.schema ?? envelope?.properties?.data,
  }
}

/** `Errors: 1001 nameMissing, 1017 assetExists.` */
const refusalsOf = (text = ''): string[] =>
  (/^Errors: (.*)\.$/.exec(text)?.[1] ?? '').split(', ').filter((refusal) => refusal !== '')

function authOf(security: Record<string, unknown>[]): Operation['auth'] {
  const names = security.flatMap((each) => Object.keys(each))
  if (names.includes('node')) return 'node'
  if (names.includes('gateway')) return 'gateway'
  if (security.length === 0) return 'public'
  if (security.some((each) => Object.keys(each).length === 0)) return 'optional'
  return names.includes('apiKey') ? 'key' : 'session'
}

/** A schema in one line: `string`, `"file" | "folder"`, `string[]`. */
export function typeText(schema: Schema | undefined): string {
  if (!schema) return 'any'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' | ')
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : schema.type
  if (type === 'array')
    return schema.prefixItems ? `[${schema.prefixItems.map(typeText).join(', ')}]` : `${typeText(schema.items)}[]`
  return type ?? 'any'
}

/** A schema as indented lines, like JSON. */
export function outline(schema: Schema | undefined, indent = ''): string {
  if (!schema) return 'any'
  if (schema.anyOf) return schema.anyOf.map((each) => outline(each, indent)).join(' | ')
  if (schema.type === 'array' && schema.items && !schema.prefixItems) return `[${outline(schema.items, indent)}]`
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return schema.type === 'object' ? '{}' : typeText(schema)
  const inside = `${indent}  `
  return `{\n${properties.map(([name, each]) => `${inside}${name}: ${outline(each, inside)}`).join('\n')}\n${indent}}`
}

/** A curl command that calls an operation. */
export function curlOf({ method, path, parameters, body, auth }: Operation, origin: string): string {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = required.map(({ name }) => `${name}=<${name}>`).join('&')
  const address = `${origin}${path.replace(/\{(\w+)\}/g, '<$1>')}${search && `?${search}`}`
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} '${address}'`]
  if (auth === 'session' || auth === 'key') lines.push(`  -H 'JwtAuthorization: Bearer <token>'`)
  if (auth === 'node') lines.push(`  -H 'Authorization: Bearer <node token>'`)
  if (auth === 'gateway') lines.push(`  -H 'Authorization: Bearer <gateway secret>'`)
  if (method !== 'GET') {
    lines.push(`  -H 'Content-Type: application/json'`)
    const fields = Object.entries(body?.properties ?? {}).filter(([name]) => body?.required?.includes(name))
    lines.push(`  -d '${JSON.stringify(Object.fromEntries(fields.map(([name, each]) => [name, sample(name, each)])))}'`)
  }
  return lines.join(' \\\n')
}

function sample(name: string, schema: Schema): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(0, schema.minimum ?? 0)
  if (schema.type === 'boolean') return false
  if (schema.type === 'array') return []
  return `<${name}>`
}
