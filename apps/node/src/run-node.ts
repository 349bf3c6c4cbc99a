import { mkdir } from 'node:fs/promises'
import { createClock, createLogger } from '@tidenet/daemon'
import { type Life, type Running, StartError } from '@tidenet/daemon/lifecycle'
import { createNode, type StorageNode } from './app.ts'
import { readNodeConfig } from './config.ts'
import { faults } from './downloads/faults.ts'
import { lockFolder } from './folder-lock.ts'
import { readStartSettings } from './service/start-settings.ts'
import { restoreProgram, TRIAL } from './updates/programs.ts'
import { ownPath, readRelease } from './updates/release.ts'
import { runSelfUpdating } from './updates/self-updating.ts'
import type { UpdateState } from './updates/update-state.ts'
import { reviewStart } from './updates/updater.ts'
import { waitFor } from './wait.ts'

/** How long a new version waits for the portal before it says that it is ready. */
const REGISTERED_MS = 120_000

/**
 * Starts the node of a data folder; a single executable also updates itself.
 * @param env overrides the environment
 * @param args of this program, for the next version
 */
export async function startProgramNode(
  life: Life,
  env: Record<string, string>,
  args: readonly string[],
): Promise<Running> {
  const clock = createClock()
  life.onClock((offsetMs) => clock.move(offsetMs))
  const asked = { ...process.env, ...env }
  // An installed node starts with its data folder alone.
  const { fault, ...config } = readNodeConfig({ ...readStartSettings(asked.TIDENET_NODE_DATA ?? ''), ...asked })
  const wrapOutgoing = fault && faults[fault]
  const release = readRelease()
  const builtIn = release?.keys ?? []
  // A key that was given once must not outlive a rotation: it counts only for builds without any.
  const keys = builtIn.length > 0 || !config.releaseKey ? builtIn : [config.releaseKey]
  const isTrial = asked[TRIAL] !== undefined
  if (release && !isTrial) {
    await mkdir(config.data, { recursive: true })
    // Refuses a second program before it counts as a start of the first.
    await (await lockFolder(config.data))()
  }
  if (release && !isTrial && (await reviewStart(config.data, release, clock.now())) === 'restore')
    if (await restoreProgram(ownPath()))
      throw new StartError('This version did not become ready. The one of before is back: start it again.')

  let known: UpdateState = { seen: 0 }
  const start = async (): Promise<StorageNode> => {
    const node: StorageNode = await createNode({
      ...config,
      clock,
      stopping: life.stopping,
      ...(wrapOutgoing && { wrapOutgoing }),
      ...(release &&
        keys.length > 0 && {
          updates: (on) => ({ on, problem: known.failed?.problem ?? null, version: known.failed?.version ?? '' }),
        }),
    })
    return node
  }
  const node = await start()
  const { port } = new URL(node.url)
  const until = Date.now() + REGISTERED_MS
  while (isTrial && !node.registered && Date.now() < until) await waitFor(200, life.stopping)
  const running =
    release && keys.length > 0
      ? runSelfUpdating({
          node,
          start,
          life,
          restarts: isTrial ? 'parent' : asked.TIDENET_SERVICE_MANAGER ? 'manager' : 'nobody',
          args,
          server: config.server,
          data: config.data,
          program: ownPath(),
          release,
          keys,
          onState: (state) => {
            known = state
          },
          now: clock.now,
          log: createLogger('updates', config.logLevel),
        })
      : node
  return {
    ready: { url: node.url, port: Number(port), id: node.id, registered: node.registered },
    stop: () => running.stop(),
    onClock: (offsetMs) => clock.move(offsetMs),
  }
}
