import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFileHasher, type HashedFile } from '@tidenet/content'
import { carHeader } from '@tidenet/content/car'
import { fileFrames } from '@tidenet/content/file-car'
import { openSession } from '../../identity/sessions/tokens.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Member } from '../../platform/http/callers.ts'
import type { Person, TestEnv } from '../../test-env.fixture.ts'
import { notifyOfExpiry } from './notify.ts'
import { planReplicas, recheckAccount } from './plan.ts'
import { restoreContents } from './restore.ts'
import { listReplicas } from './service.ts'
import { workOnReplicas } from './work.ts'

/** For tests: a node that really sends and receives files, and the tasks of third-party replicas. */

const signal = new AbortController().signal

interface StoredFile {
  bytes: Buffer
  hashed: HashedFile
}

async function hash(bytes: Uint8Array): Promise<HashedFile> {
  const hasher = createFileHasher()
  hasher.update(bytes)
  return hasher.finish()
}

async function* carOf({ bytes, hashed }: StoredFile) {
  yield carHeader([hashed.cid])
  const whole = (async function* () {
    yield bytes
  })()
  yield* fileFrames(hashed, whole, { start: 0, onChanged: () => new Error('changed') })
}

/** A candidate whose files can be deleted or damaged. */
export async function startNode(env: TestEnv) {
  const files = new Map<string, StoredFile>()
  const faults = {
    damaged: false,
    /** Called before each part that it sends, with the bytes sent. */
    onPart: async (_sent: number) => {},
  }
  let node: Awaited<ReturnType<TestEnv['node']>>
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://node')
    const serve = async () => {
      if (request.method === 'GET') {
        const file = files.get(url.pathname.split('/')[2] ?? '')
        if (!file) return response.writeHead(404).end()
        response.writeHead(200)
        let sent = 0
        for await (const part of carOf(file)) {
          await faults.onPart(sent)
          response.write(faults.damaged ? Buffer.from(part).fill(7, Math.min(100, part.length)) : part)
          sent += part.length
        }
        return response.end()
      }
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const form = Buffer.concat(parts)
      const bytes = form.subarray(form.indexOf('\r\n\r\n') + 4, form.lastIndexOf('\r\n--'))
      const claims = JSON.parse(
        Buffer.from((request.headers.authorization ?? '').split('.')[1] ?? '', 'base64url').toString(),
      ) as { sub: string; tid: string; jti: string; cid: string; size: number }
      const hashed = await hash(bytes)
      if (hashed.cid.toString() !== claims.cid) return response.writeHead(400).end('{}')
      files.set(claims.cid, { bytes, hashed })
      const { sub, tid, jti, cid } = claims
      const receipt = await node.receipt({ sub, tid, jti, cid, size: bytes.length, blocks: hashed.leaves })
      return response.end(JSON.stringify({ code: 0, err: 0, msg: '', cid, receipt }))
    }
    serve().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  node = await env.node({ url })
  return {
    get id() {
      return node.id
    },
    files,
    faults,
    /** Stores a file and lists it in an account. */
    async file(
      owner: Person,
      bytes: Buffer,
      more: { encrypted?: boolean; areas?: string[]; restrictedTo?: string[]; name?: string } = {},
    ): Promise<string> {
      const hashed = await hash(bytes)
      const cid = hashed.cid.toString()
      files.set(cid, { bytes, hashed })
      const at = new Date(env.clock.now())
      await env.db.run(sql`
        insert into contents (cid, hash, kind, size, blocks, created_at, wanted) values (${cid}, ${cid}, 'file', ${bytes.length}, 1, ${at}, 1)
        on conflict do nothing`)
      await env.db.run(sql`
        insert into replicas (cid, node_id, state, changed_at) values (${cid}, ${node.id}, 'stored', ${at}) on conflict do nothing`)
      await env.db.run(sql`
        insert into assets (user_id, folder_id, cid, kind, name, size, encrypted, areas, restricted_to, created_at, expires_at)
        values (${owner.id}, 0, ${cid}, 'file', ${more.name ?? 'a file'}, ${bytes.length}, ${more.encrypted ?? true}, ${more.areas ?? []},
          ${more.restrictedTo ?? null}, ${at}, ${new Date(at.getTime() + 1e11)})`)
      return cid
    },
    /** Its disk is lost. */
    async lose(cid: string) {
      files.delete(cid)
      await env.db.run(sql`update replicas set state = 'lost' where cid = ${cid}`)
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The tasks, run one after the other. */
export function tasksOf(env: TestEnv) {
  /** With a new session: time passes, and sessions expire. */
  const fresh = async (person: Person): Promise<Person> => ({
    ...person,
    ...(await openSession(env.context, env.db, person, { ip: '127.0.0.1', agent: 'test' })),
  })
  /** Without the limit of calls. */
  const replicasOf = (person: Person, cid: string) => {
    const caller = { kind: 'member', via: 'session', userId: person.id, uid: person.uid, permissions: 'all' } as Member
    return listReplicas(env.context, caller, { cid, page: 1, page_size: 50 })
  }
  const run = async () => {
    await planReplicas(env.context)
    await workOnReplicas(env.context, signal)
    await restoreContents(env.context, signal)
    await notifyOfExpiry(env.context)
  }
  return {
    fresh,
    replicasOf,
    run,
    plan: () => planReplicas(env.context),
    work: () => workOnReplicas(env.context, signal),
    /** Runs the tasks again and again, while time passes, until it holds. */
    async until(holds: () => Promise<boolean>, stepMs = 60_000) {
      for (let tries = 0; tries < 200; tries++) {
        await run()
        if (await holds()) return
        env.pass(stepMs)
      }
      throw new Error('it did not happen')
    },
    /** The job that follows a changed choice. */
    recheck: (person: Person, changed?: string) =>
      recheckAccount(env.context, { userId: person.id, after: 0, ...(changed !== undefined && { changed }) }),
  }
}
