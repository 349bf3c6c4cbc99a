import { z } from 'zod'
import { errors } from './errors.ts'
import type { Route } from './route.ts'
import { isTeamRoute } from './teams.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      const { prefixItems } = jsonSchema
      if (!prefixItems) return
      // Generators of clients do not know `items: false`, which means the same as these.
      delete jsonSchema.items
      jsonSchema.minItems = prefixItems.length
      jsonSchema.maxItems = prefixItems.length
    },
  }) as Json
  return rest
}

function envelope(route: Route): Json {
  const data = schemaOf(route.output, 'output')
  return {
    type: 'object',
    properties: {
      code: { type: 'integer', description: '0 success, -1 error, 401 missing or expired session' },
      err: { type: 'integer', description: 'Error number' },
      msg: { type: 'string' },
      data: route.shape === 'double' ? { type: 'object', properties: { data } } : data,
    },
    required: ['code'],
  }
}

/** No API key can call these. */
const PERSONAL = new Set<Route['auth']>(['session', 'agent', 'operator'])

/** Members act for their team. */
const TEAM: Json = {
  name: 'Team',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'uid of a team',
}

const security = (route: Route): Json[] => {
  if (route.auth === 'public') return []
  if (route.auth === 'node') return [{ node: [] }]
  if (route.auth === 'gateway') return [{ gateway: [] }]
  if (route.auth === 'console') return [{ console: [] }]
  const signedIn: Json[] = [{ session: [] }, ...(PERSONAL.has(route.auth) ? [] : [{ apiKey: [] }])]
  if (route.authorization) signedIn.push({ bearer: [] })
  return route.auth === 'optional' ? [{}, ...signedIn] : signedIn
}

/** Answers before an operation; their body is the envelope, except of proxies. */
const REFUSALS: Record<string, { name: string; description: string }> = {
  '400': { name: 'Malformed', description: 'The body is not valid JSON, or the request is malformed' },
  '413': { name: 'BodyTooLarge', description: 'The body is too large' },
  '414': { name: 'AddressTooLong', description: 'The URL is too long' },
  '415': { name: 'BodyKind', description: 'The body is of another type' },
  '429': { name: 'TooManyRequests', description: 'Too many requests; see Retry-After' },
  '431': { name: 'HeadersTooLarge', description: 'The headers are too large' },
  '503': { name: 'Unavailable', description: 'The call had no effect and can be repeated; see Retry-After' },
}
const refusals = (statuses: readonly string[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${REFUSALS[status]?.name}` }]))
const REFUSAL: Json = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
const OF_ALL = ['400', '414', '429', '431', '503']
const OF_BODIES = ['413', '415']

/** What an operation answers itself. */
function ownAnswers(route: Route): Json {
  if (route.shape !== 'raw')
    return { '200': { description: 'Answer or error', content: { 'application/json': { schema: envelope(route) } } } }
  if (!route.media) return { '302': { description: 'Redirect' }, '200': { description: 'An error', content: REFUSAL } }
  const content = { [route.media]: { schema: schemaOf(route.output, 'output') } }
  // The same media type for both would be one schema.
  const more = route.media === 'application/json' ? {} : REFUSAL
  return { '200': { description: 'The content, or an error', content: { ...content, ...more } } }
}

function operation(id: string, route: Route, method: 'GET' | 'POST'): Json {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const input = schemaOf(route.input, 'input')
  const properties = Object.entries((input.properties ?? {}) as Record<string, Json>)
  const required = (input.required ?? []) as string[]
  const isJson = method === 'POST' && route.accepts === undefined
  const inQuery = properties.filter(([field]) => !isJson && !inPath.includes(field))
  const inBody = properties.filter(([field]) => isJson && !inPath.includes(field))
  return {
    operationId: method === route.method ? id : `${id}.post`,
    tags: [id.split('.')[0]],
    summary: route.summary,
    description: route.errors.length
      ? `Errors: ${route.errors.map((key) => `${errors[key].err} ${key}`).join(', ')}.`
      : undefined,
    security: security(route),
    parameters: [
      ...inPath.map((field) => ({ name: field, in: 'path', required: true, schema: { type: 'string' } })),
      ...inQuery.map(([field, schema]) => ({ name: field, in: 'query', required: required.includes(field), schema })),
      { name: 'lang', in: 'header', required: false, schema: { enum: ['cn', 'en', ''] } },
      ...(isTeamRoute(route) ? [TEAM] : []),
    ],
    ...(inBody.length > 0 && {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: Object.fromEntries(inBody),
              required: required.filter((field) => !inPath.includes(field)),
            },
          },
        },
      },
    }),
    ...(route.accepts !== undefined && {
      requestBody: { content: { [route.accepts]: { schema: { type: 'string', format: 'binary' } } } },
    }),
    responses: { ...ownAnswers(route), ...refusals(method === 'POST' ? [...OF_ALL, ...OF_BODIES] : OF_ALL) },
  }
}

/** The whole contract as an OpenAPI 3.1 document. */
export function openApi(contract: Record<string, Record<string, Route>>): Json {
  const paths: Record<string, Json> = {}
  for (const [group, operations] of Object.entries(contract))
    for (const [name, route] of Object.entries(operations))
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const key = path.replace(/:(\w+)/g, '{$1}')
        const entry: Json = { ...(paths[key] ?? {}) }
        const suffix = path === route.path ? '' : `.alias${(route.aliases ?? []).indexOf(path) + 1}`
        for (const method of route.alsoPost ? (['GET', 'POST'] as const) : [route.method])
          entry[method.toLowerCase()] = operation(`${group}.${name}${suffix}`, route, method)
        paths[key] = entry
      }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tidenet',
      version: '1',
      description:
        'The API of a Tidenet portal: storage, shares, accounts, nodes, orders and containers.\n\nSend an API key, or the `token` of `POST /api/v1/user/login`, in the header `JwtAuthorization: Bearer …`. If a generated client sends `Authorization` instead, set the name of the header. Most refusals have status 200 as well: read `code`.',
    },
    servers: [{ url: '/' }],
    components: {
      schemas: {
        Refusal: {
          type: 'object',
          properties: {
            code: { type: 'integer', description: '-1, or 401 for a missing or expired session' },
            err: { type: 'integer', description: 'Error number' },
            msg: { type: 'string' },
            success: { type: 'boolean' },
            data: {},
          },
          required: ['code', 'msg'],
        },
      },
      responses: Object.fromEntries(
        Object.values(REFUSALS).map(({ name, description }) => [name, { description, content: REFUSAL }]),
      ),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'JwtAuthorization',
          description: 'Bearer <session token or API key>',
        },
        apiKey: { type: 'apiKey', in: 'header', name: 'apiKey' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The session token in the header Authorization' },
        node: { type: 'http', scheme: 'bearer' },
        gateway: { type: 'http', scheme: 'bearer', description: 'The secret of the S3 gateways of the operator' },
        console: { type: 'http', scheme: 'bearer', description: 'A session of the container console' },
      },
    },
    paths,
  }
}
